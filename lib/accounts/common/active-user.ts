import { AppError } from '../../errors/errors.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'

/** Whether an account may sign in now: it is neither disabled nor expired. */
export const isActive = (user: UserRecord, nowMs: number): boolean =>
  user.isEnabled && (user.expiresAt === null || nowMs < user.expiresAt)

/** @throws AppError `login_incomplete` for a disabled or expired account, after its credential was right */
export const requireActiveAccount = (user: UserRecord, nowMs: number): void => {
  if (!isActive(user, nowMs))
    throw new AppError('login_incomplete', {
      reason: 'account_disabled',
      detail: 'The account is disabled or has expired. Ask an administrator.',
    })
}
