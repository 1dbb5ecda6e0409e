import { consecutiveFailuresMax, failureStreakMs } from '../../limits/limits.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import {
  countEvent,
  getEventCount,
  getRetryAfterSeconds,
  getStreak,
  uncountEvent,
} from '../../store/rates/rates.ts'
import { findKnownPlaces } from '../common/known-places.ts'
import { noteRefusal } from '../common/note-refusal.ts'
import type { RequestContext } from '../common/request-context.ts'
import { buildSecurityNoticeStep } from '../common/security-notices.ts'
import { rateLimited } from '../common/throttle.ts'

/** A guess of a one-time password that was counted before it is checked. */
export interface CodeGuess {
  /** Whether so many guesses in a row were wrong that even a right one counts as wrong. */
  readonly isLocked: boolean
  /** Stores that the code was right, was not checked, or was wrong. */
  readonly settle: (outcome: 'right' | 'unchecked' | 'wrong') => Promise<void>
}

/**
 * The guesses that are counted together. Guesses from a known browser or network, and by callers who are signed in,
 * are counted apart, so that a stranger who knows the password cannot shut out the owner. A new epoch starts over: the
 * password that the stranger knew is probably not valid any more.
 */
const getSubject = (user: UserRecord, context: RequestContext): string => {
  const { id, credentialEpoch } = user
  const [place = 'unknown'] = findKnownPlaces(user, context)
  return JSON.stringify([id, credentialEpoch, context.actor === id ? 'signed in' : place])
}

/**
 * Counts a guess in one table call, so that parallel guesses are limited like sequential ones.
 *
 * @throws AppError `too_many_requests` after too many wrong codes in a short time
 */
export const countCodeGuess = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<CodeGuess> => {
  const { table, config, log, now } = services
  const limit = config.rateLimits.otpGuesses
  const subject = getSubject(user, context)
  const countedAtMs = now()
  const item = await countEvent(table, limit, subject, countedAtMs, failureStreakMs)
  const uncount = (streak: 'uncount' | 'end') =>
    // A failure must not fail the request.
    uncountEvent(table, limit, subject, countedAtMs, streak).catch((error: unknown) =>
      log.warn('limit.not_refunded', { error }),
    )
  const note = () => noteRefusal(services, { limit, subject, item, shown: { user: user.id } })
  if (getEventCount(item, limit, countedAtMs) > limit.max) {
    // The code is not checked, so this is no failure in a row.
    await uncount('uncount')
    await note()
    throw rateLimited(getRetryAfterSeconds(item, limit, countedAtMs))
  }
  return {
    isLocked: getStreak(item) > consecutiveFailuresMax,
    settle: async (outcome) => {
      if (outcome === 'right') return uncount('end')
      if (outcome === 'unchecked') return uncount('uncount')
      if (getStreak(item) >= consecutiveFailuresMax) await note()
      const steps = buildSecurityNoticeStep(services, context, user, { kind: 'sign_in_locked' })
      // Exactly one of several concurrent guesses reaches the limit.
      if (getStreak(item) === consecutiveFailuresMax && steps.length > 0) await table.transact(steps)
    },
  }
}
