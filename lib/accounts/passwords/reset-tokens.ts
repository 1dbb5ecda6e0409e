import { resetTokenLifetimeMs } from '../../core/limits.ts'
import { mintCredential, parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { findUser, findUserIdByEmail, findUserIdByUsername } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { MailJob } from '../../store/records/outbox.ts'
import type { ResetTokenRecord } from '../../store/records/reset-token-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { buildResetTokenStep, findResetTokenAndUser } from '../../store/sign-in/reset-tokens.ts'
import { isActive } from '../common/active-user.ts'
import { fitsKey, normalizeEmail, normalizeUsername } from '../common/names.ts'

/** A token to choose a new password with, and the step that stores its hash. */
export const mintResetToken = ({ now }: Services, user: UserRecord): { value: string; step: Step } => {
  const { value, hash } = mintCredential('reset_token', user.id)
  const { credentialEpoch } = user
  const expiresAt = now() + resetTokenLifetimeMs
  return { value, step: buildResetTokenStep({ hash, userId: user.id, credentialEpoch, expiresAt }) }
}

/** The token behind a value and its user, or undefined when it is malformed, unknown, used, burnt or expired. */
export const findResetToken = async (
  services: Services,
  value: string,
): Promise<{ token: ResetTokenRecord; user: UserRecord } | undefined> => {
  const credential = parseCredential(value)
  if (credential?.kind !== 'reset_token') return undefined
  const { token, user } = await findResetTokenAndUser(services.table, credential.subject, credential.hash)
  const now = services.now()
  const isGood =
    token &&
    user &&
    now < token.expiresAt &&
    token.credentialEpoch === user.credentialEpoch &&
    isActive(user, now)
  return isGood ? { token, user } : undefined
}

/** The user that a reset is asked for, if there is one who may have a link: it works, has an address, and may choose. */
export const findUserToReset = async (
  { table, now }: Services,
  errand: Extract<MailJob, { kind: 'password_reset' }>,
): Promise<UserRecord | undefined> => {
  const byUsername = (name: string) =>
    idBy(normalizeUsername(name), (normalized) => findUserIdByUsername(table, normalized))
  const byEmail = (address: string) =>
    idBy(normalizeEmail(address), (normalized) => findUserIdByEmail(table, normalized))
  const idOf = async (): Promise<number | undefined> => {
    if ('userId' in errand) return errand.userId
    if ('username' in errand) return byUsername(errand.username)
    // Some usernames look like an address, and need not be the address of their user.
    return (await byEmail(errand.email)) ?? byUsername(errand.email)
  }
  const id = await idOf()
  const user = id === undefined ? undefined : await findUser(table, id)
  return user && canResetPassword(user, now()) ? user : undefined
}

/** Whether a reset link can be sent to this user at all. */
export const canResetPassword = (user: UserRecord, nowMs: number): boolean =>
  user.email !== null && isActive(user, nowMs) && (user.allowChangingPassword || user.passwordChangeRequired)

const idBy = async (
  normalized: string,
  find: (normalized: string) => Promise<number | undefined>,
): Promise<number | undefined> => (normalized !== '' && fitsKey(normalized) ? find(normalized) : undefined)
