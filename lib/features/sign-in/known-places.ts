import { createHash } from 'node:crypto'
import type { DeviceCookie, RequestContext } from '../../accounts/callers/request-context.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getNetwork } from '../../kernel/util/network.ts'

/*
 * Where a user signed in before: a browser by its cookie, or a network. What happens there is counted apart from what
 * strangers do, so that no stranger can shut the user out.
 */

/** Where a request comes from. */
export type Place = Pick<RequestContext, 'address'> & {
  readonly device?: Pick<DeviceCookie, 'hash'> | undefined
}

/** The form in which users store their devices. The cookie has 256 random bits, so half of the hash is enough. */
export const hashDeviceCookie = (value: string): string =>
  createHash('sha256').update(value).digest('base64url').slice(0, 22)

/** The name by which the counts of a device are kept. No network has such a name. */
export const nameDevice = (deviceHash: string): string => `device ${deviceHash}`

/** The known places of a user that a request comes from: its device before its network. */
export const findKnownPlaces = (
  { knownAddresses, deviceCookies = {} }: UserRecord,
  { address, device }: Place,
): readonly string[] => {
  const network = getNetwork(address)
  return [
    ...(device && Object.hasOwn(deviceCookies, device.hash) ? [nameDevice(device.hash)] : []),
    ...(Object.hasOwn(knownAddresses, network) ? [network] : []),
  ]
}
