import type { Services } from '../../services.ts'
import { findUser } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { findSessionAndUser, type SessionRecord } from '../../store/sign-in/sessions.ts'
import { mayUse } from '../common/permissions.ts'
import { recorded, type Visitor } from '../common/request-context.ts'
import type { Principal } from './authentication.ts'
import { isLive, mayAct } from './sessions.ts'

/** Whether a session goes on as somebody else at this moment. */
export const isImpersonating = ({ impersonation }: SessionRecord, nowMs: number): boolean =>
  impersonation !== undefined && nowMs < impersonation.until

/**
 * The user that an administrator goes on as. Undefined, and so nobody at all, when either of them is no longer what
 * that takes: the administrator still one, the other enabled and none.
 */
export const impersonated = async (
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
export const isActingAs = async (
  services: Services,
  { userId, hash }: Pick<SessionRecord, 'userId' | 'hash'>,
  user: UserRecord,
): Promise<boolean> => {
  const { session, user: admin } = await findSessionAndUser(services.table, userId, hash)
  const now = services.now()
  if (!session || !admin || !isLive(session, admin, now) || !isImpersonating(session, now)) return false
  return session.impersonation?.userId === user.id && mayGoOnAs(services, admin, user)
}

/** The records of a logout: of the session, and of its going on as somebody else where it did. */
export const logoutRecords = (
  visitor: Visitor,
  { user, actor }: Pick<Principal, 'user' | 'actor'>,
): readonly Step[] => [
  recorded(visitor, 'logout.succeeded', { user: user.id }),
  ...(actor ? [recorded(visitor, 'impersonation.stopped', { user: user.id, actor: actor.id })] : []),
]

const mayGoOnAs = async ({ table, now }: Services, admin: UserRecord, user: UserRecord): Promise<boolean> => {
  if (!mayAct(user, now())) return false
  const [isAdminStill, isAdminNow] = await Promise.all([
    mayUse(table, admin, 'system:admin-access'),
    mayUse(table, user, 'system:admin-access'),
  ])
  return isAdminStill && !isAdminNow
}
