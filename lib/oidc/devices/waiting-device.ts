import type { SessionPrincipal } from '../../accounts/common/principal.ts'
import type { RequestContext } from '../../accounts/common/request-context.ts'
import { consume, tryRefund } from '../../accounts/common/throttle.ts'
import type { Services } from '../../services.ts'
import { findOidcClient, type OidcClient } from '../../store/oidc/clients.ts'
import { findOidcDevice, type OidcDeviceRecord } from '../../store/oidc/devices.ts'
import { getNetwork } from '../../util/network.ts'
import { listScopes } from '../resources.ts'
import { readUserCode } from './device-code.ts'

/** A device that waits for its user, with its client as it is now. */
export interface WaitingDevice {
  readonly userCode: string
  readonly device: OidcDeviceRecord
  readonly client: OidcClient
  /** The scopes that the client still may ask for. */
  readonly scopes: readonly string[]
}

/**
 * Finds the device whose code a user entered. A code is counted before it is looked up, so that parallel guesses count like
 * sequential ones (RFC 8628 5.1). The right code is not counted in the end.
 *
 * @throws AppError `too_many_requests` if the user or their network entered too many wrong codes
 */
export const findWaitingDevice = async (
  services: Services,
  { principal, context }: { readonly principal: SessionPrincipal; readonly context: RequestContext },
  typed: string,
): Promise<WaitingDevice | undefined> => {
  const userCode = readUserCode(typed)
  if (userCode === undefined) return undefined
  // During an impersonation, the administrator guesses.
  const refunds = [
    await consume(services, 'deviceCodeGuesses', String(principal.session.userId)),
    await consume(services, 'deviceCodeGuessesPerNetwork', getNetwork(context.address)),
  ]
  const device = await findOidcDevice(services.table, userCode)
  if (!device || device.decision !== undefined || device.expiresAt <= services.now()) return undefined
  for (const refund of refunds) await tryRefund(services, refund)
  const client = await findOidcClient(services.table, device.clientId)
  if (!client?.deviceAuthorization) return undefined
  const allowed = listScopes(client, device.resource)
  return { userCode, device, client, scopes: device.scopes.filter((name) => allowed.includes(name)) }
}
