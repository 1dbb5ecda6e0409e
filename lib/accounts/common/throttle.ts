import { AppError, type ErrorDetails } from '../../core/errors.ts'
import type { RateLimitName } from '../../core/rate-limits.ts'
import type { Services } from '../../services.ts'
import type { Item } from '../../store/engine/transaction.ts'
import { countEvent, countIn, secondsUntilRoom, uncountEvent } from '../../store/records/rates.ts'

/** Takes a use back that was counted. */
export type Refund = () => Promise<void>

/**
 * Counts one use against a limit, in one call to the table. Resolves with what takes it back, where only failures
 * are to count. `told` says what the caller is told above the limit, where the usual words would say too little.
 *
 * @throws AppError `too_many_requests` with `Retry-After`, when this one is above the limit.
 */
export const consume = async (
  { table, config, now }: Services,
  name: RateLimitName,
  subject: string,
  told: Pick<ErrorDetails, 'detail' | 'reason'> = {},
): Promise<Refund> => {
  const limit = config.rateLimits[name]
  const at = now()
  const item = await countEvent(table, limit, subject, at)
  if (countIn(item, limit, at) > limit.max) throw rateLimited(secondsUntilRoom(item, limit, at), told)
  return () => uncountEvent(table, limit, subject, at)
}

/** Takes a use back; must that fail, the log has it, and what the use was for goes its way. */
export const tryRefund = (services: Services, giveBack: Refund): Promise<void> =>
  giveBack().catch((error: unknown) => services.log.warn('limit.not_given_back', { error }))

/** @throws AppError `too_many_requests`, when the limit is used up already; counts nothing. */
export const requireWithinLimit = (
  { config, now }: Services,
  name: RateLimitName,
  item: Item | undefined,
): void => {
  const limit = config.rateLimits[name]
  if (countIn(item, limit, now()) >= limit.max) throw rateLimited(secondsUntilRoom(item, limit, now()))
}

export const rateLimited = (
  retryAfterSeconds: number,
  told: Pick<ErrorDetails, 'detail' | 'reason'> = {},
): AppError =>
  new AppError('too_many_requests', { ...told, headers: { 'retry-after': String(retryAfterSeconds) } })
