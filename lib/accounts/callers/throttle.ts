import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError, type ErrorDetails } from '../../kernel/errors/errors.ts'
import { countsResults } from '../../kernel/limits/rate-limit-rules.ts'
import { type RateLimitSubject, readRateLimitSubject } from '../../kernel/limits/rate-limit-subjects.ts'
import type { RateLimit, RateLimitName } from '../../kernel/limits/rate-limits.ts'
import { isUnnoted, noteRateLimited } from '../../kernel/rates/rate-limited.ts'
import {
  buildForgetEventsStep,
  countEvent,
  getEventCount,
  getLongestWaitMs,
  getRetryAfterSeconds,
  refundEvent,
} from '../../kernel/rates/rates.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { getRemainingMs } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../users/stored-user.records.ts'
import type { RequestContext } from './request-context.ts'

/** Refunds a use, once. */
export type Refund = () => Promise<void>

/** The uses of a request that are given back if it is refused. */
const usesOfRequest = new AsyncLocalStorage<Refund[]>()

/**
 * Runs a request. If it is refused before it changed anything, what it counted against limits of results is given back: see
 * `rate-limit-rules.ts`. So nobody uses up a limit of others with requests that lead to nothing.
 */
export const refundIfRefused = async <Result>(
  services: Pick<Services, 'log'>,
  work: () => Promise<Result>,
  isRefusal: (error: unknown) => boolean,
): Promise<Result> => {
  const uses: Refund[] = []
  try {
    return await usesOfRequest.run(uses, work)
  } catch (error) {
    if (isRefusal(error)) await Promise.all(uses.map((refund) => tryRefund(services, refund)))
    throw error
  }
}

/** A use that was counted. */
interface CountedUse {
  readonly limit: RateLimit
  /** The uses in the window, with this one. */
  readonly count: number
  readonly retryAfterSeconds: number
  readonly refund: Refund
  /** Shows administrators that the limit was reached, and gives the use back unless it counts as an attempt. */
  readonly refuse: () => Promise<void>
}

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
  const use = await countUse(services, name, subject)
  if (use.count <= use.limit.max) return use.refund
  await use.refuse()
  throw rateLimited(use.retryAfterSeconds, details)
}

/** Counts one use, for callers who decide about a use above the limit. Those who refuse it call `refuse`. */
export const countUse = async (
  services: Services,
  name: RateLimitName,
  subject: string,
): Promise<CountedUse> => {
  const { table, config, now } = services
  const limit = config.rateLimits[name]
  const at = now()
  const item = await countEvent(table, limit, subject, at)
  const [count, retryAfterSeconds] = [getEventCount(item, limit, at), getRetryAfterSeconds(item, limit, at)]
  let isRefunded = false
  const refund = async (): Promise<void> => {
    if (isRefunded) return
    isRefunded = true
    await refundEvent(table, limit, subject, at)
  }
  const use: CountedUse = {
    limit,
    count,
    retryAfterSeconds,
    refund,
    refuse: async () => {
      await noteRefusal(services, { limit, subject, item, shown: readRateLimitSubject(name, subject) })
      if (countsResults(name)) await tryRefund(services, refund)
    },
  }
  if (countsResults(name)) usesOfRequest.getStore()?.push(refund)
  return use
}

/** Refunds a use. A failure is only logged, because it must not fail the request. */
export const tryRefund = ({ log }: Pick<Services, 'log'>, refund: Refund): Promise<void> =>
  refund().catch((error: unknown) => log.warn('limit.not_refunded', { error }))

/** The error for an exceeded limit. */
export const rateLimited = (
  retryAfterSeconds: number,
  details: Pick<ErrorDetails, 'detail' | 'reason'> = {},
): AppError =>
  new AppError('too_many_requests', { ...details, headers: { 'retry-after': String(retryAfterSeconds) } })

/*
 * Tickets, links and reset tokens cannot be guessed. All users of a product can share its address, and an attacker can
 * send wrong values through the product. So a good value is served at any time, and only failures are counted. Above the
 * limit, a failure costs the service one read. The throttling of API Gateway limits the number of these reads.
 */
const blockedUntil = new Map<string, number>()
const maxRemembered = 10_000

/**
 * Counts a failed lookup. While this function knows that the network reached the limit, the table is not called.
 *
 * @throws AppError `too_many_requests` when the caller's network exceeds the limit
 */
export const countFailedLookup = async (services: Services, { address }: RequestContext): Promise<void> => {
  const { table, config, now } = services
  const { lookUpFailures } = config.rateLimits
  const network = getNetwork(address)
  const at = now()
  const blockMs = getBlockMs(lookUpFailures, network, at)
  if (blockMs > 0) throw rateLimited(Math.ceil(blockMs / 1000))
  const item = await countEvent(table, lookUpFailures, network, at)
  if (getEventCount(item, lookUpFailures, at) <= lookUpFailures.max) return
  const seconds = getRetryAfterSeconds(item, lookUpFailures, at)
  for (const [known, until] of blockedUntil)
    if (until <= at || blockedUntil.size >= maxRemembered) blockedUntil.delete(known)
  blockedUntil.set(network, at + seconds * 1000)
  await noteRefusal(services, { limit: lookUpFailures, subject: network, item, shown: { network } })
  throw rateLimited(seconds)
}

const getBlockMs = (limit: RateLimit, network: string, nowMs: number): number =>
  getRemainingMs(blockedUntil.get(network) ?? 0, nowMs, getLongestWaitMs(limit))

interface ReachedLimit {
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

/** Builds the step that forgets the failures of an account, for the transaction that resets its password. */
export const buildUnlockStep = ({ config }: Services, user: UserRecord): Step =>
  buildForgetEventsStep(config.rateLimits.accountFailures, user.normalizedUsername)
