import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import { buildClearedSessionCookie } from '../../lib/http/sent-credentials.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { endSession } from '../../lib/store/sign-in/end-sessions.ts'
import { findOwnSessions } from './own-sessions.ts'

/** Ends one of the caller's own sessions with its tickets. Sessions of other users are not found. */
export const endOwnSession: UseCase<typeof sessions.endOwnSession> = async (
  { params, principal, context },
  services,
) => {
  const { user } = principal
  // An API token must not sign an administrator out.
  if (principal.kind === 'api_token') await requireRightToChange(services, principal, user)
  const own = await findOwnSessions(services, principal)
  const session = requireFound(own.find(({ id }) => id === params.id))
  const audit = auditStep(context, 'session.ended', { user: user.id, target: String(session.id) })
  await endSession(services.table, session, [audit])
  const isCurrent = session.hash === principal.hash
  return { status: 204, ...(isCurrent ? { cookies: [buildClearedSessionCookie(services.config)] } : {}) }
}
