import type { UserRecord } from '../../store/records/user-record.ts'

/** Whether an account may sign in now: it is neither disabled nor expired. */
export const isActive = (user: UserRecord, nowMs: number): boolean =>
  user.isEnabled && (user.expiresAt === null || nowMs < user.expiresAt)
