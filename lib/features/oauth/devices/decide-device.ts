import type { SessionPrincipal } from '../../../accounts/callers/principal.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { consume, tryRefund } from '../../../accounts/callers/throttle.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { oauthDeviceMs } from '../../../kernel/limits/limits.ts'
import { getNetwork } from '../../../kernel/util/network.ts'
import type { Services } from '../../../services.ts'
import { buildClientUseSteps } from '../client-access.records.ts'
import { type ClientRecord, findClient } from '../clients.records.ts'
import { decideOAuthDevice, findOAuthDevice, type OAuthDeviceRecord } from '../devices.records.ts'
import { createGrantRecord, describeClientUse, describeLogin } from '../grants.ts'
import { listScopes } from '../resources.ts'
import { noteSessionClient } from '../session-clients.records.ts'
import { readUserCode } from './device-code.ts'

/** A device that waits for its user, with its client as it is now. */
export interface WaitingDevice {
  readonly userCode: string
  readonly device: OAuthDeviceRecord
  readonly client: ClientRecord
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
  const device = await findOAuthDevice(services.table, userCode)
  if (!device || device.decision !== undefined || device.expiresAt <= services.now()) return undefined
  for (const refund of refunds) await tryRefund(services, refund)
  const client = await findClient(services.table, device.clientId)
  if (!client?.device_authorization) return undefined
  const allowed = listScopes(client, device.resource)
  return { userCode, device, client, scopes: device.scopes.filter((name) => allowed.includes(name)) }
}

interface Decider {
  readonly principal: SessionPrincipal
  readonly context: RequestContext
}

/** What became of a decision: `late` if the device was decided or has expired before, `ended` if the session has ended. */
export type DecisionOutcome = 'decided' | 'late' | 'ended'

/** Refuses a device. It learns that with its next request. */
export const denyDevice = async (
  services: Services,
  { principal, context }: Decider,
  { userCode, device, client }: WaitingDevice,
): Promise<DecisionOutcome> => {
  const details = { user: principal.user.id, target: String(client.id) }
  return await catchOutcome(
    decideOAuthDevice(
      services.table,
      userCode,
      device,
      { decision: 'denied' },
      {
        nowMs: services.now(),
        orElse: createOutcome('late'),
        extraSteps: [auditStep(context, 'oidc_client.device_denied', details)],
      },
    ),
  )
}

/**
 * Lets a device sign in as a user. What an authorization does before its code is stored happens here as well: the session
 * knows the client, and ends its tokens.
 *
 * @throws AppError `too_many_requests` as for authorizations
 */
export const approveDevice = async (
  services: Services,
  { principal, context }: Decider,
  { userCode, device, client, scopes }: WaitingDevice,
): Promise<DecisionOutcome> => {
  const { session, user, actor } = principal
  const grant = createGrantRecord(services, principal, client, {
    scopes,
    origin: 'device',
    codeMs: oauthDeviceMs,
  })
  await consume(services, 'authorizationsPerSession', `${session.userId} ${grant.sid}`)
  const app = { clientId: client.clientId, subject: user.id }
  const noted = await noteSessionClient(services.table, { session, owner: actor ?? user }, app)
  if (noted !== 'noted') return 'ended'
  const { ts: authTime, amr, acr } = describeLogin(principal)
  const payload = { accountId: String(user.id), authTime, amr, acr, sid: grant.sid }
  const nowMs = services.now()
  const use = { ...describeClientUse(services, grant, client), orElse: createOutcome('ended') }
  return await catchOutcome(
    decideOAuthDevice(
      services.table,
      userCode,
      device,
      { decision: 'approved', grant, payload },
      {
        nowMs,
        orElse: createOutcome('late'),
        extraSteps: [
          auditStep(context, 'oidc_client.device_approved', { user: user.id, target: String(client.id) }),
          ...buildClientUseSteps(session, use),
        ],
      },
    ),
  )
}

class Outcome extends Error {
  readonly outcome: DecisionOutcome

  constructor(outcome: DecisionOutcome) {
    super(`the decision about a device failed: ${outcome}`)
    this.outcome = outcome
  }
}

const createOutcome = (outcome: DecisionOutcome) => (): Error => new Outcome(outcome)

const catchOutcome = async (deciding: Promise<void>): Promise<DecisionOutcome> => {
  try {
    await deciding
    return 'decided'
  } catch (error) {
    if (error instanceof Outcome) return error.outcome
    throw error
  }
}
