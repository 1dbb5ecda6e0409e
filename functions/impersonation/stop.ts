import { hasPermission } from '../../lib/accounts/common/permissions.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { isImpersonating } from '../../lib/accounts/sign-in/impersonation.ts'
import { switchWithNewCredential } from '../../lib/accounts/sign-in/session-switch.ts'
import type { impersonation } from '../../lib/contract/operations/impersonation.ts'
import { conflict } from '../../lib/errors/errors.ts'
import { buildClearedSessionCookie, buildSessionCookie } from '../../lib/http/session-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { ConditionFailed } from '../../lib/store/engine/transaction-errors.ts'
import { endSession } from '../../lib/store/sign-in/end-sessions.ts'
import { endImpersonation } from '../../lib/store/sign-in/impersonation.ts'

/**
 * Ends an impersonation. The session belongs to the administrator again, or ends if they are no longer an
 * administrator. The impersonated user may have been deleted in the meantime. A session cookie gets a new value.
 */
export const stopImpersonation: UseCase<typeof impersonation.stopImpersonation> = async (
  { principal, context, usesCookie },
  services,
) => {
  const { session } = principal
  const notImpersonating = () => conflict('This session does not impersonate another user.')
  if (!session.impersonation || !isImpersonating(session, services.now())) throw notImpersonating()
  const admin = principal.actor ?? principal.user
  const record = auditStep(context, 'impersonation.stopped', {
    user: session.impersonation.userId,
    actor: admin.id,
  })
  if (!(await hasPermission(services.table, admin, 'system:admin-access'))) {
    const ended = auditStep(context, 'session.ended', { user: admin.id, target: String(session.id) })
    await endSession(services.table, session, [record, ended])
    return { status: 204, ...(usesCookie ? { cookies: [buildClearedSessionCookie(services.config)] } : {}) }
  }
  try {
    if (!usesCookie) {
      await endImpersonation(services.table, session, [record])
      return { status: 204 }
    }
    const value = await switchWithNewCredential(services, principal, [record])
    const remainingMs = session.expiresAt - services.now()
    return { status: 204, cookies: [buildSessionCookie(services.config, value, remainingMs)] }
  } catch (error) {
    throw error instanceof ConditionFailed ? notImpersonating() : error
  }
}
