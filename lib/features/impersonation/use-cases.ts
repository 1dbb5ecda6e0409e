import { hasPermission } from '../../accounts/callers/permissions.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { endSession } from '../../accounts/sessions/end-sessions.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { buildClearedSessionCookies, buildSessionCookies } from '../../http/authenticate.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, conflict, invalidRequest } from '../../kernel/errors/errors.ts'
import { impersonationLifetimeMs } from '../../kernel/limits/limits.ts'
import { ConditionFailed } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { impersonation } from './operations.ts'
import { endImpersonation, startImpersonation as startStoredImpersonation } from './records.ts'
import { isImpersonating, switchWithNewCredential } from './rules.ts'

/**
 * Lets an administrator impersonate another user in the current session, for up to an hour. The session then has only
 * the rights of that user. A session cookie gets a new value. A bearer credential stays, because its client would not
 * notice a new one.
 */
export const startImpersonation: UseCase<typeof impersonation.startImpersonation> = async (
  { body, principal, context, usesCookie },
  services,
) => {
  const { user: admin, session } = principal
  const other = await requireImpersonableUser(services, admin, body.user)
  const now = services.now()
  const extraSteps = [auditStep(context, 'impersonation.started', { user: other.id, actor: admin.id })]
  const target = { userId: other.id, until: now + impersonationLifetimeMs }
  try {
    if (usesCookie) {
      const value = await switchWithNewCredential(services, principal, extraSteps, target)
      return { status: 204, cookies: buildSessionCookies(services.config, value, session.expiresAt - now) }
    }
    await startStoredImpersonation(services.table, session, { ...target, nowMs: now }, extraSteps)
  } catch (error) {
    if (error instanceof ConditionFailed)
      throw conflict('This session already impersonates another user. Stop impersonating first.')
    throw error
  }
  return { status: 204 }
}

const requireImpersonableUser = async (
  { table, now }: Services,
  admin: UserRecord,
  id: number,
): Promise<UserRecord> => {
  const user = id === admin.id ? undefined : await findUser(table, id)
  if (!user) throw invalidRequest([{ field: 'user', message: 'must be the ID of another user' }])
  if (!isActive(user, now())) throw conflict('This user is disabled or has expired.')
  if (await hasPermission(table, user, 'system:admin-access'))
    throw new AppError('permission_denied', {
      detail: 'Administrators cannot impersonate other administrators.',
    })
  return user
}

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
    return { status: 204, ...(usesCookie ? { cookies: buildClearedSessionCookies(services.config) } : {}) }
  }
  try {
    if (!usesCookie) {
      await endImpersonation(services.table, session, [record])
      return { status: 204 }
    }
    const value = await switchWithNewCredential(services, principal, [record])
    const remainingMs = session.expiresAt - services.now()
    return { status: 204, cookies: buildSessionCookies(services.config, value, remainingMs) }
  } catch (error) {
    throw error instanceof ConditionFailed ? notImpersonating() : error
  }
}
