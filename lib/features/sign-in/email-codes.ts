import { timingSafeEqual } from 'node:crypto'
import { isActive, requiresPasskey } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail, isGuestUser } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { emailCodeGuesses } from '../../kernel/limits/limits.ts'
import { deriveEmailCodeRequest, hashEmailCode } from '../../kernel/secrets/email-codes.ts'
import type { Services } from '../../services.ts'
import {
  countCodeGuess,
  type EmailCode,
  type EmailCodePurpose,
  type EmailCodeRecord,
} from './email-codes.records.ts'

/**
 * Whether a user may sign in with an emailed code: they are active, have a verified address, and have or may choose a
 * password. So the code is no way around an identity provider, a passkey, or a password that must be changed.
 */
export const canUseEmailCode = (
  user: UserRecord,
  nowMs: number,
): user is UserRecord & { email: string; normalizedEmail: string } =>
  hasVerifiedEmail(user) &&
  user.normalizedEmail !== null &&
  isActive(user, nowMs) &&
  !isGuestUser(user) &&
  (user.passwordHash !== null || user.allow_changing_password) &&
  !user.password_change_required &&
  !requiresPasskey(user)

/** A right code. Whether its account may use it is checked by `findUserOfCode`. */
export interface RightCode {
  readonly hash: string
  readonly code: EmailCode
}

/** A guess at a code, with the request that it was counted for. Undefined for an unknown or finished request. */
export interface CodeGuess {
  readonly record: EmailCodeRecord | undefined
  /** Undefined unless the code is right. */
  readonly right: RightCode | undefined
}

/** Counts a guess at the code of a request for this purpose, and checks it. */
export const guessCode = async (
  { table, now }: Services,
  purpose: EmailCodePurpose,
  { request_id: requestId, code: typed }: { readonly request_id: string; readonly code: string },
): Promise<CodeGuess> => {
  const { hash, salt } = deriveEmailCodeRequest(requestId)
  const record = await countCodeGuess(table, hash, { purpose, maximum: emailCodeGuesses, nowMs: now() })
  const code = record?.code
  const isRight = code !== undefined && isSame(code.codeHash, hashEmailCode(salt, typed))
  return { record, right: isRight ? { hash, code } : undefined }
}

/** Whether an account has the address and the sign-in methods of the time when the code was sent to it. */
export const isUnchangedSinceCode = (
  user: Pick<UserRecord, 'id' | 'credentialEpoch' | 'normalizedEmail'>,
  { userId, credentialEpoch, normalizedEmail }: EmailCode,
): boolean =>
  user.id === userId && user.credentialEpoch === credentialEpoch && user.normalizedEmail === normalizedEmail

/** The error is the same for a wrong code, a finished request, and a code of something else. */
export const createCodeError = (code: 'login_failed' | 'invalid_token'): AppError =>
  new AppError(code, {
    reason: 'email_code_invalid',
    detail: 'The code is wrong, used, or expired, or there were too many attempts. Request a new code.',
  })

/**
 * Reads the user of a right code. Returns undefined if the account has changed since the code was sent, or may not sign in
 * with one now.
 */
export const findUserOfCode = async (
  { table, now }: Services,
  code: EmailCode,
): Promise<UserRecord | undefined> => {
  const user = await findUser(table, code.userId)
  return user && isUnchangedSinceCode(user, code) && canUseEmailCode(user, now()) ? user : undefined
}

/** Compares hashes of equal length. The time does not depend on where they differ. */
const isSame = (stored: string, given: string | undefined): boolean =>
  given !== undefined && timingSafeEqual(Buffer.from(stored), Buffer.from(given))
