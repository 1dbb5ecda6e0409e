import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { findUsers } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getIds, getListing, readEntries } from '../../kernel/table/listing.ts'
import { day } from '../../kernel/util/time.ts'
import { mapInBatches } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import { findSignInPolicy } from './policy.records.ts'
import { reviewUser } from './review-user.ts'
import {
  findSessionReview,
  isReviewFinished,
  type ReviewProgress,
  type SessionReview,
  storeReviewProgress,
} from './session-review.records.ts'

/** A sign-in that read the rules before a change has stored its session by then. */
const settlingMs = 60_000
const usersPerPart = 100
const usersAtOnce = 10

/**
 * Applies the rules of the sign-in to the sessions that are open, after a change of the rules: see `reviewUser`. A run takes up where the
 * last one stopped. What it does twice has the same result.
 */
export const reviewSessions = async (
  services: Services,
  context: RequestContext,
  hasTime: () => boolean,
): Promise<void> => {
  let review = await findSessionReview(services.table)
  if (!review || isReviewFinished(review)) return
  while (review && hasTime()) {
    const next = await takePart(services, context, review)
    if (!next) return
    review = await storeReviewProgress(services.table, review, next)
    if (review && isReviewFinished(review)) {
      const { users, ended, changed } = review
      services.log.info('session_review.done', { users, ended, changed })
      return
    }
  }
}

/** Works on the next users. Returns how far the round is then, or undefined if it has to wait. */
const takePart = async (
  services: Services,
  context: RequestContext,
  review: SessionReview,
): Promise<ReviewProgress | undefined> => {
  const { table, now } = services
  const { requests, round, startedAt = now(), after, users = 0, ended = 0, changed = 0 } = review
  if (round !== requests) return { round: requests, startedAt: now(), users: 0, ended: 0, changed: 0 }
  // A clock that was ahead must not delay the round.
  if (Math.abs(now() - startedAt) < settlingMs) return undefined
  const policy = await findSignInPolicy(table)
  const entries = await readEntries(table, getListing('user', 'id'), {
    after,
    limit: usersPerPart,
    isDescending: false,
  })
  const found = await findUsers(table, getIds(entries))
  const present = found.flatMap((user) => (user && hasRecentSession(services, user) ? [user] : []))
  const results = await mapInBatches(present, usersAtOnce, (user) =>
    reviewUser(services, context, { user, policy }),
  )
  const isLast = entries.length < usersPerPart
  return {
    round: requests,
    startedAt,
    after: isLast ? undefined : entries.at(-1)?.indexKey,
    finishedAt: isLast ? now() : undefined,
    users: users + entries.length,
    ended: ended + sum(results.map((result) => result.ended)),
    changed: changed + sum(results.map((result) => result.changed)),
  }
}

/** Whether the user can have an open session. A sign-in notes when it was, a little imprecisely. */
const hasRecentSession = ({ config, now }: Services, { lastSeenAt }: UserRecord): boolean => {
  const { users, administrators } = config.sessionLifetimes
  const longestMs = Math.max(users.lifetimeMs, administrators.lifetimeMs) + day
  return lastSeenAt !== null && now() - lastSeenAt <= longestMs
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
