import { resetTokenLifetimeMs } from '../../core/limits.ts'
import { mintCredential, parseCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { findUser, findUserId, findUserIdByEmail } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { Errand } from '../../store/records/outbox.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import {
  findResetTokenAndUser,
  type ResetTokenRecord,
  resetTokenStep,
} from '../../store/sign-in/reset-tokens.ts'
import { fitsKey, foldEmail, foldUsername } from '../common/names.ts'
import { mayAct } from '../sign-in/sessions.ts'

/** A token to choose a new password with, and the step that stores its hash. */
export const mintResetToken = ({ now }: Services, user: UserRecord): { value: string; step: Step } => {
  const { value, hash } = mintCredential('reset_token', user.id)
  const { credentialEpoch } = user
  const expiresAt = now() + resetTokenLifetimeMs
  return { value, step: resetTokenStep({ hash, userId: user.id, credentialEpoch, expiresAt }) }
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
    mayAct(user, now)
  return isGood ? { token, user } : undefined
}

/** The user that a reset is asked for, if there is one who may have a link: it works, has an address, and may choose. */
export const userToReset = async (
  { table, now }: Services,
  errand: Extract<Errand, { kind: 'password_reset' }>,
): Promise<UserRecord | undefined> => {
  const byUsername = (name: string) => idBy(foldUsername(name), (folded) => findUserId(table, folded))
  const byEmail = (address: string) => idBy(foldEmail(address), (folded) => findUserIdByEmail(table, folded))
  const idOf = async (): Promise<number | undefined> => {
    if ('userId' in errand) return errand.userId
    if ('username' in errand) return byUsername(errand.username)
    // Some usernames look like an address, and need not be the address of their user.
    return (await byEmail(errand.email)) ?? byUsername(errand.email)
  }
  const id = await idOf()
  const user = id === undefined ? undefined : await findUser(table, id)
  return user && mayReset(user, now()) ? user : undefined
}

/** Whether a reset link can be sent to this user at all. */
export const mayReset = (user: UserRecord, nowMs: number): boolean =>
  user.email !== null && mayAct(user, nowMs) && (user.allowChangingPassword || user.passwordChangeRequired)

const idBy = async (
  folded: string,
  find: (folded: string) => Promise<number | undefined>,
): Promise<number | undefined> => (folded !== '' && fitsKey(folded) ? find(folded) : undefined)
