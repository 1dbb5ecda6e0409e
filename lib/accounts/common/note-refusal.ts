import type { RateLimit, RateLimitSubject } from '../../limits/rate-limits.ts'
import type { Services } from '../../services.ts'
import type { Item } from '../../store/engine/transaction.ts'
import { isUnnoted, noteRateLimited } from '../../store/rates/rate-limited.ts'

export interface ReachedLimit {
  readonly limit: RateLimit
  readonly subject: string
  /** The count, as it was just changed. */
  readonly item: Item
  readonly shown: RateLimitSubject
}

/**
 * Notes that a subject reached a limit, for administrators. Costs a write in each window and nothing otherwise, so that
 * attackers cannot make refusals expensive. A failure is only logged, because it must not change the answer.
 */
export const noteRefusal = async (
  { table, now, log }: Pick<Services, 'table' | 'now' | 'log'>,
  { limit, subject, item, shown }: ReachedLimit,
): Promise<void> => {
  const nowMs = now()
  if (!isUnnoted(item, limit, nowMs)) return
  await noteRateLimited(table, limit, subject, { shown, nowMs }).catch((error: unknown) =>
    log.warn('limit.not_noted', { limit: limit.name, error }),
  )
}
