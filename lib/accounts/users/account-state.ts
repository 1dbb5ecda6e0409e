import { AppError } from '../../kernel/errors/errors.ts'
import type { UserRecord } from './stored-user.records.ts'

/** Whether an account may sign in now: it is neither disabled nor expired. */
export const isActive = (user: UserRecord, nowMs: number): boolean =>
  user.is_enabled && (user.expiresAt === null || nowMs < user.expiresAt)

/** @throws AppError `login_incomplete` for a disabled or expired account, after its credential was right */
export const requireActiveAccount = (user: UserRecord, nowMs: number): void => {
  if (!isActive(user, nowMs))
    throw new AppError('login_incomplete', {
      reason: 'account_disabled',
      detail: 'The account is disabled or has expired. Ask an administrator.',
    })
}

/**
 * How many passkeys of the user count wherever one is asked for or required. One that the browser added without a question, and that
 * nobody has used, does not: its owner may not know it, and may not have it on this device. Each door asks this function.
 */
export const countProvenPasskeys = ({ passkeys }: Pick<UserRecord, 'passkeys'>): number =>
  passkeys ? Math.max(0, passkeys.count - (passkeys.unprovenCount ?? 0)) : 0

/** Whether the user has at least one passkey that counts. */
export const hasPasskeys = (user: Pick<UserRecord, 'passkeys'>): boolean => countProvenPasskeys(user) > 0

/** Whether the user has something besides a password: an authenticator app or a passkey. */
export const hasSecondFactor = (user: Pick<UserRecord, 'totp' | 'passkeys'>): boolean =>
  Boolean(user.totp) || hasPasskeys(user)

/** Whether the user's password alone does not sign in, but a passkey must follow. */
export const requiresPasskey = ({ passkeys }: Pick<UserRecord, 'passkeys'>): boolean =>
  passkeys?.isSecondFactor === true

/** Whether the user's password alone signs in. */
export const isPasswordEnough = (user: Pick<UserRecord, 'totp' | 'passkeys'>): boolean =>
  !user.totp && !requiresPasskey(user)

/** The encryption context of a TOTP key. It differs for each user and from that of any other secret. */
export const getTotpKeyContext = (userId: number) => ({ purpose: 'totp', user: String(userId) })
