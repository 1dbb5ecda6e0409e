import {
  freeLoginFailures,
  knownAddressesPerUser,
  loginBackOffFirstMs,
  loginBackOffMaxMs,
  loginBackOffRetentionMs,
} from '../../core/limits.ts'
import { getNetwork } from '../../core/network.ts'
import type { Services } from '../../services.ts'
import { userSeenFrom } from '../../store/directory/last-seen.ts'
import type { UserUpdate } from '../../store/directory/user-step.ts'
import type { Item, Step } from '../../store/engine/transaction.ts'
import type { PairRecord } from '../../store/records/login-pair-record.ts'
import { countEvent, countIn, whileBelow } from '../../store/records/rates.ts'
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

/** One try to sign in, and what was known of earlier ones when it began. */
export interface LoginAttempt {
  /** The normalized username, whether somebody has it or not: a limit must not tell which. */
  readonly account: string
  readonly network: string
  /** The id behind the username, if there is one. */
  readonly userId: number | undefined
  readonly pair: PairRecord | undefined
  readonly accountCount: Item | undefined
}

/**
 * Reads the username and all that is counted for it, in one call to the table.
 *
 * @throws AppError `too_many_requests` while the address has to wait, with this account or altogether.
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
 * Whether guessing at this account went so far that only addresses it was used from before are let in. The answer
 * to a locked-out caller is that of a wrong password: whoever guesses doesn't learn that guessing has no use now.
 */
export const isLocked = ({ config, now }: Services, attempt: LoginAttempt, user: UserRecord): boolean => {
  const { accountFailures } = config.rateLimits
  return (
    !isKnown(attempt, user) && countIn(attempt.accountCount, accountFailures, now()) >= accountFailures.max
  )
}

const isKnown = ({ network }: LoginAttempt, user: UserRecord): boolean =>
  Object.hasOwn(user.knownAddresses, network)

/**
 * Steps for the transaction that a right password leads to. They refuse when tries at the same moment have used up
 * what was left, so that a burst of guesses in parallel gets no more of them than one after the other.
 */
export const buildGuardSteps = (
  { config, now }: Services,
  attempt: LoginAttempt,
  user: UserRecord,
  forgive: boolean,
): Step[] => {
  const nowMs = now()
  return [
    buildUnfailedStep(pairKey(attempt.account, attempt.network), attempt.pair, {
      freeFailures: freeLoginFailures,
      nowMs,
      forgive,
    }),
    ...(isKnown(attempt, user)
      ? []
      : [whileBelow(config.rateLimits.accountFailures, attempt.account, attempt.accountCount, nowMs)]),
  ]
}

/** Has the user remember where it signed in from; nothing to do while that is fresh. */
export const rememberAddress = (
  { now }: Services,
  { network }: LoginAttempt,
  user: UserRecord,
): UserUpdate[] => userSeenFrom(user, network, now(), knownAddressesPerUser)

/** Counts a failure for the account, the address and the two together, and records it. */
export const recordFailure = async (
  services: Services,
  { account, network, pair }: LoginAttempt,
  context: RequestContext,
  user: UserRecord | undefined,
  outcome: string,
): Promise<void> => {
  const now = services.now()
  const { accountFailures, addressFailures } = services.config.rateLimits
  const failures = (pair?.failures ?? 0) + 1
  const blockedUntil = now + backOffMs(failures)
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

const backOffMs = (failures: number): number =>
  failures < freeLoginFailures
    ? 0
    : Math.min(loginBackOffMaxMs, loginBackOffFirstMs * 2 ** (failures - freeLoginFailures))
