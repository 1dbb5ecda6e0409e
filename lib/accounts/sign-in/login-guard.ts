import {
  freeLoginFailures,
  knownAddressesPerUser,
  loginBackOffFirstMs,
  loginBackOffMaxMs,
  loginBackOffRetentionMs,
} from '../../core/limits.ts'
import { getNetwork } from '../../core/network.ts'
import type { Services } from '../../services.ts'
import { buildKnownAddressUpdates } from '../../store/directory/last-seen.ts'
import type { UserUpdate } from '../../store/directory/user-step.ts'
import type { Item, Step } from '../../store/engine/transaction.ts'
import type { PairRecord } from '../../store/records/login-pair-record.ts'
import { buildBelowLimitStep, countEvent, getEventCount } from '../../store/records/rates.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import {
  buildFailureStep,
  buildUnfailedStep,
  pairKey,
  readLoginCounts,
  readPair,
} from '../../store/sign-in/login-guard.ts'
import { fitsKey } from '../common/names.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { rateLimited, requireWithinLimit } from '../common/throttle.ts'

/** An attempt to sign in, with the failures that were counted before it. */
export interface LoginAttempt {
  /** The normalized username, whether it exists or not. A limit must not reveal that. */
  readonly account: string
  readonly network: string
  /** The id of the user with this username. */
  readonly userId: number | undefined
  readonly pair: PairRecord | undefined
  readonly accountCount: Item | undefined
}

/**
 * Reads the user ID and the counted failures in one table call.
 *
 * @throws AppError `too_many_requests` while the caller's network must wait, with this account or with any
 */
export const startAttempt = async (
  services: Services,
  account: string,
  { address }: RequestContext,
): Promise<LoginAttempt> => {
  const { accountFailures, addressFailures } = services.config.rateLimits
  const network = getNetwork(address)
  const { pairItem, accountCount, addressCount, userId } = await readLoginCounts(services.table, {
    account,
    network,
    accountFailures,
    addressFailures,
    hasUsername: account !== '' && fitsKey(account),
  })
  const now = services.now()
  requireWithinLimit(services, 'addressFailures', addressCount)
  const pair = readPair(pairItem, now)
  if (pair && now < pair.blockedUntil) throw rateLimited(Math.ceil((pair.blockedUntil - now) / 1000))
  return { account, network, userId, pair, accountCount }
}

/**
 * Whether the account has so many failures that only networks with an earlier sign-in may sign in. Other callers get the
 * answer for a wrong password, so that attackers do not learn that guessing is useless now.
 */
export const isLocked = ({ config, now }: Services, attempt: LoginAttempt, user: UserRecord): boolean => {
  const { accountFailures } = config.rateLimits
  return (
    !isKnownNetwork(attempt, user) &&
    getEventCount(attempt.accountCount, accountFailures, now()) >= accountFailures.max
  )
}

const isKnownNetwork = ({ network }: LoginAttempt, user: UserRecord): boolean =>
  Object.hasOwn(user.knownAddresses, network)

/** Concurrent attempts with wrong passwords reached the limit. */
export class ConcurrentGuesses extends Error {
  constructor() {
    super('concurrent attempts to sign in reached the limit')
    this.name = 'ConcurrentGuesses'
  }
}

/**
 * Builds steps for the transaction after a right password. They fail with `ConcurrentGuesses`, so that parallel guesses
 * are limited like sequential ones. With `forgetsFailures`, the counted failures are deleted.
 */
export const buildGuardSteps = (
  { config, now }: Services,
  attempt: LoginAttempt,
  user: UserRecord,
  forgetsFailures: boolean,
): Step[] => {
  const nowMs = now()
  const steps = [
    buildUnfailedStep(pairKey(attempt.account, attempt.network), attempt.pair, {
      freeFailures: freeLoginFailures,
      nowMs,
      forgive: forgetsFailures,
    }),
    ...(isKnownNetwork(attempt, user)
      ? []
      : [
          buildBelowLimitStep(
            config.rateLimits.accountFailures,
            attempt.account,
            attempt.accountCount,
            nowMs,
          ),
        ]),
  ]
  return steps.map((step) => ({ ...step, orElse: () => new ConcurrentGuesses() }))
}

/** Builds the update that stores the network of a sign-in with the user. Empty when it was stored recently. */
export const rememberNetwork = (
  { now }: Services,
  { network }: LoginAttempt,
  user: UserRecord,
): UserUpdate[] => buildKnownAddressUpdates(user, network, now(), knownAddressesPerUser)

interface LoginFailure {
  readonly user: UserRecord | undefined
  readonly outcome: string
}

/** Counts a failure for the account, the network, and the pair of both, and stores the audit event. */
export const recordFailure = async (
  services: Services,
  context: RequestContext,
  { account, network, pair }: LoginAttempt,
  { user, outcome }: LoginFailure,
): Promise<void> => {
  const now = services.now()
  const { accountFailures, addressFailures } = services.config.rateLimits
  const failures = (pair?.failures ?? 0) + 1
  const blockedUntil = now + computeBackOffMs(failures)
  await Promise.all([
    countEvent(services.table, accountFailures, account, now),
    countEvent(services.table, addressFailures, network, now),
    services.table.transact([
      buildFailureStep(pairKey(account, network), pair, {
        blockedUntil,
        forgottenAt: now + loginBackOffRetentionMs,
      }),
      auditStep(context, 'login.failed', { user: user?.id ?? null, outcome }),
    ]),
  ])
}

const computeBackOffMs = (failures: number): number =>
  failures < freeLoginFailures
    ? 0
    : Math.min(loginBackOffMaxMs, loginBackOffFirstMs * 2 ** (failures - freeLoginFailures))
