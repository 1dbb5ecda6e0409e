import type { SessionPrincipal } from '../../accounts/common/principal.ts'
import { auditStep, type RequestContext } from '../../accounts/common/request-context.ts'
import { consume } from '../../accounts/common/throttle.ts'
import { oidcDeviceMs } from '../../limits/limits.ts'
import type { Services } from '../../services.ts'
import { decideOidcDevice } from '../../store/oidc/devices.ts'
import { buildAppUseSteps } from '../../store/oidc/session-apps.ts'
import { noteSessionClient } from '../../store/oidc/session-clients.ts'
import { describeLogin } from '../describe-login.ts'
import { createGrantRecord } from '../grant-record.ts'
import type { WaitingDevice } from './waiting-device.ts'

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
    decideOidcDevice(
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
  const grant = createGrantRecord(services, principal, client, { scopes, codeMs: oidcDeviceMs })
  await consume(services, 'authorizationsPerSession', `${session.userId} ${grant.sid}`)
  const app = { clientId: client.clientId, subject: user.id }
  const noted = await noteSessionClient(services.table, { session, owner: actor ?? user }, app)
  if (noted !== 'noted') return 'ended'
  const { ts: authTime, amr, acr } = describeLogin(principal)
  const payload = { accountId: String(user.id), authTime, amr, acr, sid: grant.sid }
  const nowMs = services.now()
  const use = { client: app, scopes, ends: grant.ends, nowMs, orElse: createOutcome('ended') }
  return await catchOutcome(
    decideOidcDevice(
      services.table,
      userCode,
      device,
      { decision: 'approved', grant, payload },
      {
        nowMs,
        orElse: createOutcome('late'),
        extraSteps: [
          auditStep(context, 'oidc_client.device_approved', { user: user.id, target: String(client.id) }),
          ...buildAppUseSteps(session, use),
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
