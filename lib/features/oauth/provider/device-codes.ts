import { type AdapterPayload, errors } from 'oidc-provider'
import { oauthDevicePollMs } from '../../../kernel/limits/limits.ts'
import { isDeviceSecret, readDeviceCode } from '../devices/device-code.ts'
import {
  findOAuthDevice,
  noteDevicePoll,
  type OAuthDeviceRecord,
  useOAuthDevice,
} from '../devices.records.ts'
import { listScopes } from '../resources.ts'
import { describeUse, endReusedGrant, type ModelAdapter } from './one-time-tokens.ts'
import { getRun, type ProviderRun } from './run.ts'

type FoundDevice = NonNullable<ProviderRun['device']>

/** Finds the device of a device code. Undefined for a wrong secret, and for a device of another client. */
const findDevice = async (
  { services, client }: ProviderRun,
  value: string,
): Promise<FoundDevice | undefined> => {
  const code = readDeviceCode(value)
  const device = code && (await findOAuthDevice(services.table, code.userCode))
  if (!code || !device || !isDeviceSecret(device.secretHash, code.secret)) return undefined
  return device.clientId === client?.clientId ? { userCode: code.userCode, device } : undefined
}

/**
 * Counts a request of a device that still waits. One that comes too early lengthens the time between requests for good.
 *
 * @throws SlowDown for the device if the request comes too early
 */
const countPoll = async ({ services }: ProviderRun, { userCode, device }: FoundDevice): Promise<void> => {
  const { table, now } = services
  const { step, longest, tolerance } = oauthDevicePollMs
  const isEarly = device.nextPollAt !== undefined && now() < device.nextPollAt - tolerance
  const intervalMs = isEarly ? Math.min(device.intervalMs + step, longest) : device.intervalMs
  // At the longest time, early requests change nothing, so that they cost no write.
  const isCounted =
    isEarly && intervalMs === device.intervalMs
      ? false
      : await noteDevicePoll(table, userCode, device, { intervalMs, nextPollAt: now() + intervalMs })
  if (isEarly || !isCounted) throw new errors.SlowDown()
}

/** What the library knows about the decision of the user. */
const describeDecision = (
  { services, client }: ProviderRun,
  { scopes, resource, decision, grantId, payload, usedAt }: OAuthDeviceRecord,
) => {
  if (decision === 'denied')
    return { error: 'access_denied', errorDescription: 'the user refused the device' }
  if (decision !== 'approved') return {}
  return {
    ...payload,
    grantId,
    // A scope that was taken from the client counts no longer.
    scope: scopes.filter((name) => client && listScopes(client, resource).includes(name)).join(' '),
    ...(usedAt !== undefined && describeUse({ usedAt }, services.now())),
  }
}

/** Device codes. Each is used once, and a second use ends the grant with all its tokens. */
export const deviceCodes: ModelAdapter = {
  find: async (value): Promise<AdapterPayload | undefined> => {
    const run = getRun()
    const found = await findDevice(run, value)
    if (!found) return undefined
    const { clientId, resource, createdAt, expiresAt, decision } = found.device
    if (decision === undefined && run.services.now() < expiresAt) await countPoll(run, found)
    run.device = found
    run.resource = resource
    return {
      kind: 'DeviceCode',
      jti: value,
      clientId,
      resource,
      iat: Math.floor(createdAt / 1000),
      exp: Math.floor(expiresAt / 1000),
      ...describeDecision(run, found.device),
    }
  },
  consume: async () => {
    const run = getRun()
    const { table, now } = run.services
    if (!run.device) throw new Error('A device code that was not found was used.')
    const { userCode, device } = run.device
    if (device.decision === 'denied') return
    if (await useOAuthDevice(table, userCode, device, now())) return
    if (device.grantId !== undefined) await endReusedGrant(run, device.grantId)
    throw new errors.InvalidGrant('device code already used')
  },
}
