import {
  consecutiveFailuresMax,
  failureStreakMs,
  freeLoginFailures,
  loginBackOffFirstMs,
  loginBackOffMaxMs,
  loginBackOffRetentionMs,
} from '../../core/limits.ts'
import { getNetwork } from '../../core/network.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Services } from '../../services.ts'
import type { Item, Step } from '../../store/engine/transaction.ts'
import type { PairRecord } from '../../store/records/login-pair-record.ts'
import {
  buildBelowLimitStep,
  buildEndStreakStep,
  countEvent,
  getEventCount,
  getRetryAfterSeconds,
  getStreak,
} from '../../store/records/rates.ts'
import type { StoredSignInPolicy } from '../../store/records/sign-in-policy-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { buildFailureStep, buildUnfailedStep, pairKey, readPair } from '../../store/sign-in/login-guard.ts'
import { noteRefusal } from '../common/note-refusal.ts'
import { auditRefusal } from '../common/refusal-audit.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { buildSecurityNoticeStep } from '../common/security-notices.ts'
import { rateLimited } from '../common/throttle.ts'
import { padLookup, resolveLoginName } from './login-names.ts'

/** An attempt to sign in, with the failures that were counted before it. */
export interface LoginAttempt {
  /** The normalized username, whether it exists or not. A limit must not reveal that. An address counts as its username. */
  readonly account: string
  readonly network: string
  /** The id of the user with this username. */
  readonly userId: number | undefined
  readonly pair: PairRecord | undefined
  readonly accountCount: Item | undefined
  /** Whole seconds until the network has fewer failures again. Undefined below the limit. */
  readonly networkWaitSeconds: number | undefined
  /** The sign-in policy, if one was ever stored. */
  readonly policy: StoredSignInPolicy | undefined
  /** Whether a failure has to take as long as that of an unknown email address. */
  readonly isPadded: boolean
}

/**
 * Reads the user ID, the counted failures and the sign-in policy in one table call. A name that may be an email address
 * takes two more calls, whether there is such an account or not.
 *
 * @throws AppError `too_many_requests` while the caller's network must wait with this account
 */
export const startAttempt = async (
  services: Services,
  name: string,
  { address }: RequestContext,
): Promise<LoginAttempt> => {
  const network = getNetwork(address)
  const { account, counts, isPadded } = await resolveLoginName(services, name, network)
  const { pairItem, accountCount, addressCount, userId, policy } = counts
  const { addressFailures } = services.config.rateLimits
  const now = services.now()
  const pair = readPair(pairItem, now)
  const networkWaitSeconds =
    getEventCount(addressCount, addressFailures, now) < addressFailures.max
      ? undefined
      : getRetryAfterSeconds(addressCount, addressFailures, now)
  if (pair && now < pair.blockedUntil) {
    if (isPadded) await padLookup(services, account, network)
    throw rateLimited(Math.max(Math.ceil((pair.blockedUntil - now) / 1000), networkWaitSeconds ?? 0))
  }
  return { account, network, userId, pair, accountCount, networkWaitSeconds, policy, isPadded }
}

/**
 * Whether the account or the network has so many failures that only users who signed in from this network before may sign
 * in. Many people can share a network, and one of them must not shut out the others. Other callers get the answer for a
 * wrong password, so that attackers do not learn that guessing is useless now, or who uses the network.
 */
export const isLocked = (services: Services, attempt: LoginAttempt, user: UserRecord): boolean =>
  !isKnownNetwork(attempt, user) &&
  (attempt.networkWaitSeconds !== undefined || isAccountAtLimit(services, attempt.accountCount))

const isAccountAtLimit = ({ config, now }: Services, count: Item | undefined): boolean => {
  const { accountFailures } = config.rateLimits
  return (
    getStreak(count) >= consecutiveFailuresMax ||
    getEventCount(count, accountFailures, now()) >= accountFailures.max
  )
}

/** A network that itself had too many consecutive failures is no longer better than others. */
const isKnownNetwork = ({ network, pair }: LoginAttempt, user: UserRecord): boolean =>
  Object.hasOwn(user.knownAddresses, network) && (pair?.failures ?? 0) < consecutiveFailuresMax

/** Concurrent attempts with wrong passwords reached the limit. */
export class ConcurrentGuesses extends Error {
  constructor() {
    super('concurrent attempts to sign in reached the limit')
    this.name = 'ConcurrentGuesses'
  }
}

/**
 * Builds steps for the transaction after a right password. They fail with `ConcurrentGuesses`, so that parallel guesses
 * are limited like sequential ones. With `forgetsFailures`, consecutive failures are forgotten.
 */
export const buildGuardSteps = (
  services: Services,
  attempt: LoginAttempt,
  user: UserRecord,
  forgetsFailures: boolean,
): Step[] => {
  const { accountFailures } = services.config.rateLimits
  const nowMs = services.now()
  const { account, network, pair, accountCount: item } = attempt
  const streak = { max: consecutiveFailuresMax, ends: forgetsFailures && getStreak(item) > 0 }
  const steps = [
    buildUnfailedStep(pairKey(account, network), pair, {
      freeFailures: freeLoginFailures,
      nowMs,
      forgive: forgetsFailures,
    }),
    ...(isKnownNetwork(attempt, user)
      ? []
      : [buildBelowLimitStep(accountFailures, account, { item, nowMs, streak })]),
  ].map((step) => ({ ...step, orElse: () => new ConcurrentGuesses() }))
  return forgetsFailures && isKnownNetwork(attempt, user)
    ? [...steps, ...buildSuccessSteps(services, attempt)]
    : steps
}

/** Builds the steps of a successful sign-in that end the consecutive failures of the account, if there are any. */
export const buildSuccessSteps = (
  { config, now }: Services,
  { account, accountCount }: LoginAttempt,
): readonly Step[] =>
  getStreak(accountCount) > 0 ? [buildEndStreakStep(config.rateLimits.accountFailures, account, now())] : []

interface LoginFailure {
  readonly user: UserRecord | undefined
  readonly username: string | undefined
  readonly outcome: string
}

/** Counts a failure for the account, the network, and the pair of both, and stores the audit event. */
export const recordFailure = async (
  services: Services,
  context: RequestContext,
  attempt: LoginAttempt,
  { user, username, outcome }: LoginFailure,
): Promise<void> => {
  const now = services.now()
  const { account, network, networkWaitSeconds, isPadded } = attempt
  if (isPadded) await padLookup(services, account, network)
  const { accountFailures, addressFailures } = services.config.rateLimits
  const facts = omitUndefined({ user: user?.id, username })
  const audit = auditStep(context, 'login.failed', { ...facts, outcome })
  if (networkWaitSeconds !== undefined) {
    // A network above the limit must not lock accounts for other networks, extend its own wait, or fill the audit log.
    const isChecked = user && isKnownNetwork(attempt, user)
    await services.table.transact([buildPairFailureStep(attempt, now), ...(isChecked ? [audit] : [])])
    if (!isChecked)
      await auditRefusal(
        services,
        context,
        'login.failed',
        omitUndefined({ username, outcome: 'too_many_requests' }),
      )
    return
  }
  const [item, addressItem] = await Promise.all([
    // An unknown name must not occupy the table for long.
    countEvent(services.table, accountFailures, account, now, user ? failureStreakMs : shortStreakMs),
    countEvent(services.table, addressFailures, network, now),
    services.table.transact([buildPairFailureStep(attempt, now), audit]),
  ])
  // An unknown name is noted as well, without the name, so that the time of the answer does not reveal it.
  if (isAccountAtLimit(services, item))
    await noteRefusal(services, {
      limit: accountFailures,
      subject: account,
      item,
      shown: omitUndefined({ user: user?.id }),
    })
  if (getEventCount(addressItem, addressFailures, now) >= addressFailures.max)
    await noteRefusal(services, {
      limit: addressFailures,
      subject: network,
      item: addressItem,
      shown: { network },
    })
  // Exactly one of several concurrent failures reaches the limit.
  if (user && getStreak(item) === consecutiveFailuresMax) await notifyOwner(services, context, user)
}

const shortStreakMs = 1

const notifyOwner = async (services: Services, context: RequestContext, user: UserRecord): Promise<void> => {
  const steps = buildSecurityNoticeStep(services, context, user, { kind: 'sign_in_locked' })
  if (steps.length > 0) await services.table.transact(steps)
}

const buildPairFailureStep = ({ account, network, pair }: LoginAttempt, nowMs: number): Step =>
  buildFailureStep(pairKey(account, network), pair, {
    blockedUntil: nowMs + computeBackOffMs((pair?.failures ?? 0) + 1),
    forgottenAt: nowMs + loginBackOffRetentionMs,
  })

const computeBackOffMs = (failures: number): number =>
  failures < freeLoginFailures
    ? 0
    : Math.min(loginBackOffMaxMs, loginBackOffFirstMs * 2 ** (failures - freeLoginFailures))
