import type { Services } from '../../services.ts'
import { findUser } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { SessionRecord } from '../../store/records/session-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { findSessionAndUser } from '../../store/sign-in/sessions.ts'
import { isActive } from '../common/active-user.ts'
import { hasPermission } from '../common/permissions.ts'
import type { Principal } from '../common/principal.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { isSessionActive } from './sessions.ts'

/** Whether a session goes on as somebody else at this moment. */
export const isImpersonating = ({ impersonation }: SessionRecord, nowMs: number): boolean =>
  impersonation !== undefined && nowMs < impersonation.until

/**
 * The user that an administrator goes on as. Undefined, and so nobody at all, when either of them is no longer what
 * that takes: the administrator still one, the other enabled and none.
 */
export const findImpersonatedUser = async (
  services: Services,
  admin: UserRecord,
  userId: number,
): Promise<UserRecord | undefined> => {
  const user = await findUser(services.table, userId)
  return user && (await mayGoOnAs(services, admin, user)) ? user : undefined
}

/**
 * Whether the session with this hash still goes on as this user: neither ended nor stopped, by an administrator who
 * may still do that.
 */
export const isImpersonatingUser = async (
  services: Services,
  { userId, hash }: Pick<SessionRecord, 'userId' | 'hash'>,
  user: UserRecord,
): Promise<boolean> => {
  const { session, user: admin } = await findSessionAndUser(services.table, userId, hash)
  const now = services.now()
  if (!session || !admin || !isSessionActive(session, admin, now) || !isImpersonating(session, now))
    return false
  return session.impersonation?.userId === user.id && mayGoOnAs(services, admin, user)
}

/** The records of a logout: of the session, and of its going on as somebody else where it did. */
export const buildLogoutAuditSteps = (
  context: RequestContext,
  { user, actor }: Pick<Principal, 'user' | 'actor'>,
): readonly Step[] => [
  auditStep(context, 'logout.succeeded', { user: user.id }),
  ...(actor ? [auditStep(context, 'impersonation.stopped', { user: user.id, actor: actor.id })] : []),
]

const mayGoOnAs = async ({ table, now }: Services, admin: UserRecord, user: UserRecord): Promise<boolean> => {
  if (!isActive(user, now())) return false
  const [isAdminStill, isAdminNow] = await Promise.all([
    hasPermission(table, admin, 'system:admin-access'),
    hasPermission(table, user, 'system:admin-access'),
  ])
  return isAdminStill && !isAdminNow
}
