import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { noteRefusal, rateLimited } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { describeTriedUsername } from '../../accounts/names/names.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { consecutiveFailuresMax, failureStreakMs } from '../../kernel/limits/limits.ts'
import type { RateLimit } from '../../kernel/limits/rate-limits.ts'
import {
  buildCountStep,
  buildEndStreakStep,
  buildNoteStreakStep,
  buildRefundStep,
  getEventCount,
  getRetryAfterSeconds,
  getStreak,
  isStreakNoted,
  rateKey,
} from '../../kernel/rates/rates.ts'
import {
  getPairWaitMs,
  noteSignInDelay,
  pairKey,
  readPair,
  signInDelays,
} from '../../kernel/rates/sign-in-delays.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { ConditionFailed, type Item, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { getNetwork } from '../../kernel/util/network.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { retry } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import { findKnownPlaces, nameDevice } from './known-places.ts'
import {
  buildAttemptStep,
  buildForgetAttemptsStep,
  buildIdleStep,
  buildRightAttemptStep,
  buildWrongAttemptStep,
  hasPendingAttempts,
  type LoginCounts,
} from './login-guard.records.ts'
import { type LoginOrigin, padLookup, readCounts, resolveLoginName } from './login-names.ts'
import type { StoredSignInPolicy } from './policy.records.ts'

/*
 * An attempt is counted before its password is checked, and refunded by a right one, so that parallel guesses are
 * limited like sequential ones. Attempts from a known place count for this place alone. Those of strangers also count
 * for the account and their network.
 */

/** An attempt to sign in, with what was counted before it. */
export interface LoginAttempt extends LoginOrigin {
  /** The normalized name that was entered. */
  readonly name: string
  /** The normalized username, whether it exists or not. A limit must not reveal that. An address counts as its username. */
  readonly account: string
  readonly counts: LoginCounts
  /** The sign-in policy, if one was ever stored. */
  readonly policy: StoredSignInPolicy | undefined
  /** Whether a failure has to take as long as that of an unknown email address. */
  readonly isPadded: boolean
}

/** An attempt that was counted. */
export interface CountedAttempt extends LoginAttempt {
  /** The place that it counts for. */
  readonly place: string
  readonly isKnownPlace: boolean
  readonly countedAtMs: number
  readonly countsForAccount: boolean
  readonly countsForNetwork: boolean
  /** Whether the attempt stays counted for them, even if it is right: see `countUnrefunded`. */
  readonly staysCounted: { readonly account: boolean; readonly network: boolean }
  /** Whether strangers cannot sign in to the account now. Even a right password is answered like a wrong one. */
  readonly isAccountLocked: boolean
  /** Whole seconds until the network has fewer failures again. Undefined below the limit, and at a known place. */
  readonly networkWaitSeconds: number | undefined
}

/**
 * Reads the user ID, the counts and the sign-in policy in one table call. A name that may be an email address takes two
 * more calls, whether there is such an account or not.
 *
 * @throws AppError `too_many_requests` while the caller must wait, wherever they are known
 */
export const startAttempt = async (
  services: Services,
  name: string,
  context: RequestContext,
): Promise<LoginAttempt> => {
  const { address, device } = context
  const from = {
    network: getNetwork(address),
    device: device && !device.isNew ? nameDevice(device.hash) : undefined,
  }
  const { account, counts, isPadded } = await resolveLoginName(services, name, from)
  const attempt = { ...from, name, account, counts, policy: counts.policy, isPadded }
  // Whether the device is known is a matter of the user, who is read later.
  if (!from.device) await requireNoWait(services, attempt, from.network, context)
  return attempt
}

/** @throws AppError `too_many_requests` unless attempts that are being checked can still end the wait */
const requireNoWait = async (
  services: Services,
  attempt: LoginAttempt,
  place: string,
  context: RequestContext,
): Promise<boolean> => {
  const now = services.now()
  const item = getPairItem(attempt, place)
  const pair = readPair(item, now)
  const waitMs = getPairWaitMs(pair, now)
  if (waitMs === 0) return true
  if (hasPendingAttempts(pair, now)) return false
  if (attempt.isPadded) await padLookup(services, attempt.account, attempt)
  if (item) await noteWait(services, attempt, item)
  await auditWait(services, context, attempt)
  throw rateLimited(Math.max(Math.ceil(waitMs / 1000), getNetworkWaitSeconds(services, attempt) ?? 0))
}

/** Notes a wait for administrators. A failure is only logged, because it must not change the answer. */
const noteWait = (
  { table, log, now }: Services,
  { network, counts: { userId } }: LoginAttempt,
  item: Item,
): Promise<void> =>
  noteSignInDelay(table, item, { user: userId, network, nowMs: now() }).catch((error: unknown) =>
    log.warn('limit.not_noted', { limit: signInDelays, error }),
  )

/** Stores that a sign-in was refused unread, with the user whom the name belongs to. */
const auditWait = (
  services: Services,
  context: RequestContext,
  { name, account, counts: { userId } }: LoginAttempt,
): Promise<void> => {
  const username = describeTriedUsername(name, { isKnown: userId !== undefined })
  const facts = omitUndefined({ username, user: userId })
  const details = { ...facts, outcome: 'too_many_requests' }
  return auditRefusal(services, context, 'login.failed', details, `wait ${account}`)
}

const getPairItem = ({ device, counts }: LoginAttempt, place: string): Item | undefined =>
  place === device ? counts.devicePairItem : counts.pairItem

const getNetworkWaitSeconds = (
  { config, now }: Services,
  { counts: { addressCount } }: LoginAttempt,
): number | undefined => {
  const { addressFailures } = config.rateLimits
  return getEventCount(addressCount, addressFailures, now()) < addressFailures.max
    ? undefined
    : getRetryAfterSeconds(addressCount, addressFailures, now())
}

const isAccountAtLimit = ({ config, now }: Services, count: Item | undefined): boolean => {
  const { accountFailures } = config.rateLimits
  return (
    getStreak(count) >= consecutiveFailuresMax ||
    getEventCount(count, accountFailures, now()) >= accountFailures.max
  )
}

/**
 * How long an attempt waits for others that are being checked. Several right passwords at once are more than the free
 * attempts, until the first of them is checked.
 */
const waitForOthers = { attempts: 30, baseMs: 40, capMs: 400 } as const
const longestWaitForOthersMs = 3000

/**
 * Counts an attempt in one table call, before its password is checked. `user` is undefined for an unknown name.
 *
 * @throws AppError `too_many_requests` while the place must wait with this account
 */
export const countAttempt = (
  services: Services,
  started: LoginAttempt,
  user: UserRecord | undefined,
  context: RequestContext,
): Promise<CountedAttempt> => {
  // Requests have a time limit of their own. The clock of the service can be wrong, so it does not count here.
  const startedAt = performance.now()
  const isInTime = () => performance.now() - startedAt < longestWaitForOthersMs
  return retry(
    async (round) => {
      const attempt =
        round === 1 ? started : { ...started, counts: await readCounts(services, started.account, started) }
      const counted = chooseCounts(services, attempt, user, context)
      if (!(await requireNoWait(services, attempt, counted.place, context))) throw new OthersPending()
      try {
        await countOnce(services, counted, user)
      } catch (error) {
        throw error instanceof ConditionFailed ? new OthersPending() : error
      }
      return counted
    },
    { ...waitForOthers, isRetryable: (error) => error instanceof OthersPending && isInTime() },
  ).catch(async (error: unknown) => {
    if (!(error instanceof OthersPending)) throw error
    await auditWait(services, context, started)
    throw rateLimited(1)
  })
}

/** Writes the counts of an attempt. A write alone costs half of what it costs in a transaction. */
const countOnce = async (
  { config, table }: Services,
  attempt: CountedAttempt,
  user: UserRecord | undefined,
): Promise<void> => {
  const { account, place, countedAtMs: nowMs } = attempt
  const pairStep = buildAttemptStep(pairKey(account, place), getPairItem(attempt, place), nowMs)
  const others = buildStrangerSteps(config, attempt, user)
  if (others.length > 0) await table.transact([pairStep, ...others])
  else await table.update(pairStep.update, pairStep.changes)
}

/** Other attempts were counted at the same time, or are being checked. */
class OthersPending extends Error {}

/**
 * Strangers above a limit of the account or the network are not counted for either: a network must not lock accounts for
 * others or extend its own wait. Many people can share a network, and one of them must not shut out the others.
 */
const chooseCounts = (
  services: Services,
  attempt: LoginAttempt,
  user: UserRecord | undefined,
  context: RequestContext,
): CountedAttempt => {
  const now = services.now()
  // A place with too many consecutive failures is no longer better than others.
  const known = (user ? findKnownPlaces(user, context) : []).find(
    (place) => (readPair(getPairItem(attempt, place), now)?.failures ?? 0) < consecutiveFailuresMax,
  )
  const isKnownPlace = known !== undefined
  const networkWaitSeconds = getNetworkWaitSeconds(services, attempt)
  const hasFailedTooOften = (readPair(attempt.counts.pairItem, now)?.failures ?? 0) >= consecutiveFailuresMax
  const isAccountLocked =
    !isKnownPlace && (hasFailedTooOften || isAccountAtLimit(services, attempt.counts.accountCount))
  const countsForNetwork = !isKnownPlace && networkWaitSeconds === undefined
  const { rateLimits } = services.config
  const { accountCount, addressCount } = attempt.counts
  return {
    ...attempt,
    place: known ?? attempt.network,
    isKnownPlace,
    countedAtMs: now,
    networkWaitSeconds,
    isAccountLocked,
    countsForNetwork,
    countsForAccount: countsForNetwork && !isAccountLocked,
    staysCounted: {
      account:
        hasFew(rateLimits.accountFailures, accountCount, now) &&
        getStreak(accountCount) < countUnrefunded(consecutiveFailuresMax),
      network: hasFew(rateLimits.addressFailures, addressCount, now),
    },
  }
}

/** Builds the steps that count the attempt of a stranger for the account and the network. */
const buildStrangerSteps = (
  { rateLimits: { accountFailures, addressFailures } }: Config,
  attempt: CountedAttempt,
  user: UserRecord | undefined,
): readonly Step[] => {
  const { account, network, countedAtMs: nowMs, counts, staysCounted } = attempt
  // The steps fail if others used up what stays counted since the counts were read.
  const limit = (max: number, staysFew: boolean): number => (staysFew ? countUnrefunded(max) : max)
  const limitTo = (rateLimit: RateLimit, staysFew: boolean): RateLimit => ({
    ...rateLimit,
    max: limit(rateLimit.max, staysFew),
  })
  // An unknown name must not occupy the table for long.
  const streak = {
    max: limit(consecutiveFailuresMax, staysCounted.account),
    keptMs: user ? failureStreakMs : 0,
  }
  return [
    ...(attempt.countsForAccount
      ? [
          buildCountStep(limitTo(accountFailures, staysCounted.account), account, {
            item: counts.accountCount,
            nowMs,
            streak,
          }),
        ]
      : []),
    ...(attempt.countsForNetwork
      ? [
          buildCountStep(limitTo(addressFailures, staysCounted.network), network, {
            item: counts.addressCount,
            nowMs,
          }),
        ]
      : []),
  ]
}

/**
 * Whether strangers cannot sign in now. They get the answer for a wrong password, so that attackers do not learn that
 * guessing is useless, or who uses a network.
 */
export const isLocked = ({ isKnownPlace, isAccountLocked, networkWaitSeconds }: CountedAttempt): boolean =>
  isAccountLocked || (!isKnownPlace && networkWaitSeconds !== undefined)

/** Builds the steps that refund an attempt with a right password that is not enough. */
export const buildRightPasswordSteps = (
  { config, now }: Services,
  { account, network, place, countedAtMs, ...attempt }: CountedAttempt,
): readonly Step[] => {
  const { accountFailures, addressFailures } = config.rateLimits
  const nowMs = now()
  const times = { countedAtMs, nowMs }
  return [
    buildRightAttemptStep(pairKey(account, place), nowMs),
    ...(attempt.countsForAccount
      ? [buildRefundStep(accountFailures, account, { ...times, streak: 'refund' })]
      : []),
    ...(attempt.countsForNetwork
      ? [buildRefundStep(addressFailures, network, { ...times, streak: 'keep' })]
      : []),
  ]
}

/**
 * Builds the steps of a complete sign-in with a counted attempt, which forget all failures of the place and the consecutive
 * ones of the account. The place is forgotten by a write of its own: others may have been counted there since this attempt read it.
 */
export const buildPlainSuccessSteps = (services: Services, attempt: CountedAttempt): readonly Step[] => {
  const { account, network, place, countedAtMs } = attempt
  const { accountFailures, addressFailures } = services.config.rateLimits
  const times = { countedAtMs, nowMs: services.now() }
  return [
    buildForgetAttemptsStep(pairKey(account, place)),
    ...(!attempt.countsForAccount
      ? buildSuccessSteps(services, attempt)
      : attempt.staysCounted.account
        ? []
        : [buildRefundStep(accountFailures, account, { ...times, streak: 'end' })]),
    ...(attempt.countsForNetwork && !attempt.staysCounted.network
      ? [buildRefundStep(addressFailures, network, { ...times, streak: 'keep' })]
      : []),
  ]
}

/**
 * As many attempts of a window, or consecutive ones, stay counted although the password was right: most sign-ins then take
 * fewer writes. So a limit can refuse a twentieth of its number earlier, and never refuses later.
 */
const countUnrefunded = (max: number): number => Math.floor(max / 20)

const hasFew = (limit: RateLimit, item: Item | undefined, nowMs: number): boolean =>
  getEventCount(item, limit, nowMs) < countUnrefunded(limit.max)

/** Builds the steps of a complete sign-in that end the consecutive failures of the account, unless they are few. */
export const buildSuccessSteps = (
  { config, now }: Services,
  { account, counts: { accountCount } }: CountedAttempt,
): readonly Step[] =>
  getStreak(accountCount) < countUnrefunded(consecutiveFailuresMax)
    ? []
    : [buildEndStreakStep(config.rateLimits.accountFailures, account, now())]

/**
 * Builds the steps that let the owner sign in where they proved their identity: the failures from there are forgotten.
 * A stranger in the same network may have caused them.
 */
export const buildForgetPlaceSteps = (
  { normalizedUsername }: UserRecord,
  { address, device }: RequestContext,
): readonly Step[] =>
  [getNetwork(address), ...(device ? [nameDevice(device.hash)] : [])].map((place) =>
    buildForgetAttemptsStep(pairKey(normalizedUsername, place)),
  )

interface LoginFailure {
  readonly user: UserRecord | undefined
  readonly username: string | undefined
  readonly outcome: string
  /** Queues the email for the owner of a locked account who entered the right password. */
  readonly wayIn: Step | undefined
}

/** Notes that a counted attempt was wrong, and stores the audit event. */
export const recordFailure = async (
  services: Services,
  context: RequestContext,
  attempt: CountedAttempt,
  { user, username, outcome, wayIn }: LoginFailure,
): Promise<void> => {
  const now = services.now()
  const { account, network, place, networkWaitSeconds, isKnownPlace, isPadded } = attempt
  if (isPadded) await padLookup(services, account, attempt)
  const { accountFailures, addressFailures } = services.config.rateLimits
  const facts = omitUndefined({ user: user?.id, username })
  const audit = auditStep(context, 'login.failed', { ...facts, outcome })
  const wrong = buildWrongAttemptStep(pairKey(account, place), now)
  if (networkWaitSeconds !== undefined) {
    // A network above the limit must not fill the audit log.
    await services.table.transact([wrong, ...(isKnownPlace ? [audit] : [])])
    if (!isKnownPlace)
      await auditRefusal(
        services,
        context,
        'login.failed',
        { ...facts, outcome: 'too_many_requests' },
        `guess ${account}`,
      )
    return
  }
  // Without an email, another step takes the same time. Otherwise the time would reveal that a password was right.
  await services.table.transact([wrong, audit, wayIn ?? buildIdleStep(accountFailures)])
  const [item, addressItem] = await services.table.getMany([
    rateKey(accountFailures, account),
    rateKey(addressFailures, network),
  ])
  // An unknown name is noted as well, without the name, so that the time of the answer does not reveal it.
  if (item && isAccountAtLimit(services, item))
    await noteRefusal(services, {
      limit: accountFailures,
      subject: account,
      item,
      shown: omitUndefined({ user: user?.id }),
    })
  if (addressItem && getEventCount(addressItem, addressFailures, now) >= addressFailures.max)
    await noteRefusal(services, {
      limit: addressFailures,
      subject: network,
      item: addressItem,
      shown: { network },
    })
  if (user && getStreak(item) >= consecutiveFailuresMax && !isStreakNoted(item))
    await notifyOwner(services, context, user, account)
}

const notifyOwner = async (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  account: string,
): Promise<void> => {
  const { table, config, now } = services
  const steps = buildSecurityNoticeStep(services, context, user, { kind: 'sign_in_locked' })
  const noteStep = buildNoteStreakStep(
    config.rateLimits.accountFailures,
    account,
    consecutiveFailuresMax,
    now(),
  )
  if (steps.length > 0) await wasCommitted(table.transact([noteStep, ...steps]))
}
