import type { Principal } from '../../lib/accounts/common/principal.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { notFound } from '../../lib/errors/errors.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import { buildClearedSessionCookie } from '../../lib/http/sent-credentials.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { endAllSessions, endSession } from '../../lib/store/sign-in/end-sessions.ts'
import { findActiveSessions } from './active-sessions.ts'

/** Ends one of the caller's own sessions with its tickets. Sessions of other users are not found. */
export const endOwnSession: UseCase<typeof sessions.endOwnSession> = async (request, services) => {
  const { params, principal } = request
  // An API token must not sign an administrator out.
  if (principal.kind === 'api_token') await requireRightToChange(services, principal, principal.user)
  return endOne(services, request, principal.user, params.id)
}

/** Ends one session of a user with its tickets. */
export const endUserSession: UseCase<typeof sessions.endUserSession> = async (request, services) => {
  const { params, principal } = request
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  return endOne(services, request, user, params.session_id)
}

interface EndRequest {
  readonly principal: Principal
  readonly context: RequestContext
}

/** @throws AppError `not_found` if the user has no active session with this ID. */
const endOne = async (
  services: Services,
  { principal, context }: EndRequest,
  user: UserRecord,
  id: number,
): Promise<{ status: 204; cookies?: readonly string[] }> => {
  const active = await findActiveSessions(services, user, principal.session)
  const session = requireFound(active.find((one) => one.id === id))
  const audit = auditStep(context, 'session.ended', { user: user.id, target: String(session.id) })
  await endSession(services.table, session, [audit])
  const isCurrent = session.hash === principal.hash
  return { status: 204, ...(isCurrent ? { cookies: [buildClearedSessionCookie(services.config)] } : {}) }
}

/** Signs a user out everywhere. Their sessions, tickets, and password reset links end with one write. */
export const endUserSessions: UseCase<typeof sessions.endUserSessions> = async (
  { params, principal, context },
  services,
) => {
  const user = await requireUser(services.table, params.id)
  await requireRightToChange(services, principal, user)
  const audit = auditStep(context, 'session.ended', { user: user.id, target: 'all' })
  if (!(await endAllSessions(services.table, user, [audit]))) throw notFound()
  return { status: 204 }
}
