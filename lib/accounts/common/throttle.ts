import { AppError, type ErrorDetails } from '../../errors/errors.ts'
import type { RateLimitName } from '../../limits/rate-limits.ts'
import { readRateLimitSubject } from '../../limits/rate-limits.ts'
import type { Services } from '../../services.ts'
import { countEvent, getEventCount, getRetryAfterSeconds, uncountEvent } from '../../store/rates/rates.ts'
import { noteRefusal } from './note-refusal.ts'

/** Uncounts a use, for limits that count failures only. */
export type Refund = () => Promise<void>

/**
 * Counts one use against a limit in one table call. `details` replace the default text of the error.
 *
 * @throws AppError `too_many_requests` with `Retry-After` when this use exceeds the limit
 */
export const consume = async (
  services: Services,
  name: RateLimitName,
  subject: string,
  details: Pick<ErrorDetails, 'detail' | 'reason'> = {},
): Promise<Refund> => {
  const { table, config, now } = services
  const limit = config.rateLimits[name]
  const at = now()
  const item = await countEvent(table, limit, subject, at)
  if (getEventCount(item, limit, at) > limit.max) {
    await noteRefusal(services, { limit, subject, item, shown: readRateLimitSubject(name, subject) })
    throw rateLimited(getRetryAfterSeconds(item, limit, at), details)
  }
  return () => uncountEvent(table, limit, subject, at)
}

/** Refunds a use. A failure is only logged, because it must not fail the request. */
export const tryRefund = ({ log }: Services, refund: Refund): Promise<void> =>
  refund().catch((error: unknown) => log.warn('limit.not_refunded', { error }))

/** The error for an exceeded limit. */
export const rateLimited = (
  retryAfterSeconds: number,
  details: Pick<ErrorDetails, 'detail' | 'reason'> = {},
): AppError =>
  new AppError('too_many_requests', { ...details, headers: { 'retry-after': String(retryAfterSeconds) } })
