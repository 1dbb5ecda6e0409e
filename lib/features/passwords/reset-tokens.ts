import { findId, findUserByName, normalizeUsername } from '../../accounts/names/names.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser, findUserIdByUsername } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail, isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { resetTokenLifetimeMs } from '../../kernel/limits/limits.ts'
import { mintCredential, parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { StoredSignInPolicy } from '../sign-in/policy.records.ts'
import {
  buildMintSteps,
  buildUnmintSteps,
  findResetTokenAndUser,
  isResetTokenRevoked,
  type ResetTokenRecord,
} from './reset-tokens.records.ts'

/**
 * Creates a reset token, and the steps that store its hash and revoke all older tokens of the user. The steps `undo` are
 * for a token that no one got.
 */
export const mintResetToken = (
  { now }: Services,
  user: UserRecord,
): { value: string; steps: readonly Step[]; undo: readonly Step[] } => {
  const { value, hash } = mintCredential('reset_token', user.id)
  const steps = buildMintSteps(user, { hash, expiresAt: now() + resetTokenLifetimeMs })
  return { value, steps, undo: buildUnmintSteps(user, hash) }
}

/** Finds a reset token and its user. Returns undefined for a malformed, unknown, used, revoked or expired token. */
export const findResetToken = async (
  services: Services,
  value: string,
): Promise<
  { token: ResetTokenRecord; user: UserRecord; policy: StoredSignInPolicy | undefined } | undefined
> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'reset_token') return undefined
  const { token, user, policy } = await findResetTokenAndUser(
    services.table,
    credential.subject,
    credential.hash,
  )
  const now = services.now()
  const isValid =
    token &&
    user &&
    now < token.expiresAt &&
    !isResetTokenRevoked(token, user) &&
    isActive(user, now) &&
    !isGuestUser(user)
  return isValid ? { token, user, policy } : undefined
}

/** Finds the user of a password reset request, if they may get a reset link: see `canResetPassword`. */
export const findUserToReset = async (
  { table, now }: Services,
  job: Extract<MailJob, { kind: 'password_reset' }>,
): Promise<UserRecord | undefined> => {
  const find = async (): Promise<UserRecord | undefined> => {
    if ('email' in job) return findUserByName(table, job.email)
    const id =
      'userId' in job
        ? job.userId
        : await findId(normalizeUsername(job.username), (name) => findUserIdByUsername(table, name))
    return id === undefined ? undefined : findUser(table, id)
  }
  const user = await find()
  return user && canResetPassword(user, now()) ? user : undefined
}

/**
 * Whether a user may get a reset link: they are active, have a verified email address, and may choose a password. A guest
 * of an access link may not, because the link must not lead to an account.
 */
export const canResetPassword = (user: UserRecord, nowMs: number): boolean =>
  findResetObstacle(user, nowMs) === undefined

/** Why a user may not get a reset link. */
export type ResetObstacle = 'guest' | 'inactive' | 'noEmail' | 'noPassword'

export const findResetObstacle = (user: UserRecord, nowMs: number): ResetObstacle | undefined => {
  if (isGuestUser(user)) return 'guest'
  if (!isActive(user, nowMs)) return 'inactive'
  if (!hasVerifiedEmail(user)) return 'noEmail'
  return user.allow_changing_password || user.password_change_required ? undefined : 'noPassword'
}
