import { hasPermission } from '../../accounts/callers/permissions.ts'
import type { Principal, SessionPrincipal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findSessionAndUser } from '../../accounts/sessions/find-sessions.records.ts'
import { isSessionActive } from '../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { withSessionRights } from '../sign-in/organization-sessions.ts'
import { moveImpersonatingSession } from './records.ts'

/** Whether a session impersonates another user now. */
export const isImpersonating = ({ impersonation }: SessionRecord, nowMs: number): boolean =>
  impersonation !== undefined && nowMs < impersonation.until

/** The user that an administrator impersonates, or undefined when the administrator may no longer impersonate them. */
export const findImpersonatedUser = async (
  services: Services,
  admin: UserRecord,
  userId: number,
): Promise<UserRecord | undefined> => {
  const user = await findUser(services.table, userId)
  return user && (await canImpersonate(services, admin, user)) ? user : undefined
}

/**
 * Finds the administrator who still impersonates this user in the session with this hash: neither the session nor the
 * impersonation has ended, and the administrator may still impersonate the user.
 */
export const findImpersonator = async (
  services: Services,
  { userId, hash }: Pick<SessionRecord, 'userId' | 'hash'>,
  user: UserRecord,
): Promise<UserRecord | undefined> => {
  const { session, user: admin } = await findSessionAndUser(services.table, userId, hash)
  const now = services.now()
  if (!session || !admin || !isSessionActive(services, session, admin) || !isImpersonating(session, now))
    return undefined
  const isSameUser = session.impersonation?.userId === user.id
  const acting = withSessionRights(services, session, admin)
  return isSameUser && (await canImpersonate(services, acting, user)) ? acting : undefined
}

/** The audit events of a logout: the end of the session and, if there was one, of the impersonation. */
export const buildLogoutAuditSteps = (
  context: RequestContext,
  { user, actor }: Pick<Principal, 'user' | 'actor'>,
): readonly Step[] => [
  auditStep(context, 'logout.succeeded', { user: user.id }),
  ...(actor ? [auditStep(context, 'impersonation.stopped', { user: user.id, actor: actor.id })] : []),
]

/** An administrator may impersonate an active user who is not an administrator. */
const canImpersonate = async (
  { table, now }: Services,
  admin: UserRecord,
  user: UserRecord,
): Promise<boolean> => {
  if (!isActive(user, now())) return false
  const [isStillAdmin, isOtherAdmin] = await Promise.all([
    hasPermission(table, admin, 'system:admin-access'),
    hasPermission(table, user, 'system:admin-access'),
  ])
  return isStillAdmin && !isOtherAdmin
}

/**
 * Starts or, without `impersonation`, stops impersonating with a new credential, which it returns. A cookie that leaked
 * before does not get the rights of another user, and one that leaked while impersonating does not become that of the
 * administrator.
 *
 * @throws ConditionFailed if the session has ended, impersonates a user already, or does not impersonate one
 */
export const switchWithNewCredential = async (
  { table, now }: Services,
  { session }: SessionPrincipal,
  extraSteps: readonly Step[],
  impersonation?: NonNullable<SessionRecord['impersonation']>,
): Promise<string> => {
  const { value, hash } = mintCredential('session', session.userId)
  const change = { hash, nowMs: now(), ...(impersonation ? { impersonation } : {}) }
  await moveImpersonatingSession(table, session, change, extraSteps)
  return value
}
