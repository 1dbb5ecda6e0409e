import { AppError } from '../core/errors.ts'
import type { Services } from '../services.ts'
import { countEvent, countIn, type Limit, secondsUntilRoom, uncountEvent } from '../store/rates.ts'
import type { Item } from '../store/transaction.ts'

/** Takes a use back that was counted. */
export type GiveBack = () => Promise<void>

/**
 * Counts one use against a limit, in one call to the table. Resolves with what takes it back, where only failures
 * are to count.
 *
 * @throws AppError `too_many_requests` with `Retry-After`, when this one is above the limit.
 */
export const spend = async ({ table, now }: Services, limit: Limit, subject: string): Promise<GiveBack> => {
  const at = now()
  const item = await countEvent(table, limit, subject, at)
  if (countIn(item, limit, at) > limit.max) throw tooMany(secondsUntilRoom(item, limit, at))
  return () => uncountEvent(table, limit, subject, at)
}

/** @throws AppError `too_many_requests`, when the limit is used up already; counts nothing. */
export const requireRoom = ({ now }: Services, limit: Limit, item: Item | undefined): void => {
  if (countIn(item, limit, now()) >= limit.max) throw tooMany(secondsUntilRoom(item, limit, now()))
}

export const tooMany = (retryAfterSeconds: number): AppError =>
  new AppError('too_many_requests', { headers: { 'retry-after': String(retryAfterSeconds) } })
