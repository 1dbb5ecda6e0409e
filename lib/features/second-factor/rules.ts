import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { noteRefusal, rateLimited } from '../../accounts/callers/throttle.ts'
import { auditStep, writeAudit } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { AuthenticationMethod } from '../../accounts/sessions/stored-session.records.ts'
import { getTotpKeyContext } from '../../accounts/users/account-state.ts'
import type { TotpState, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { consecutiveFailuresMax, failureStreakMs } from '../../kernel/limits/limits.ts'
import {
  countEvent,
  getEventCount,
  getRetryAfterSeconds,
  getStreak,
  refundEvent,
} from '../../kernel/rates/rates.ts'
import { findRecoveryCode } from '../../kernel/secrets/recovery-codes.ts'
import {
  allDrifts,
  getDriftsAround,
  getLatestStep,
  matchCode,
  readTotpCode,
} from '../../kernel/secrets/totp.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { findKnownPlaces } from '../sign-in/known-places.ts'
import { type CodeUse, useCode, useRecoveryCode, useStep } from './totp.records.ts'

/** The code in a request. */
type GivenCode = string | null | undefined

/** Adds to the answer that asks for a code what the client can send with it. */
type DescribeNext = () => Promise<Readonly<Record<string, unknown>>>

/** The proof of a second factor. Empty for a user without one. */
export interface Proof {
  /** The method that was proved. Empty for a user without a second factor. */
  readonly methods: readonly AuthenticationMethod[]
  /** Marks the code as used, in the transaction that the code was sent for. */
  readonly use?: CodeUse
  /** Further steps for that transaction. */
  readonly extraSteps: readonly Step[]
}

/**
 * Checks the second factor by a code of the authenticator app or a recovery code. Users without a second factor pass.
 * The code stays valid until the transaction that it was sent for, so that no refusal or error wastes it.
 *
 * @throws AppError `login_incomplete`: `otp_required`, or `otp_invalid` for a wrong, malformed or used code
 * @throws AppError `too_many_requests` after too many wrong codes: see `countCodeGuess`
 */
export const proveSecondFactor = async (
  services: Services,
  user: UserRecord,
  otp: GivenCode,
  context: RequestContext,
  describeNext?: DescribeNext,
): Promise<Proof> => {
  const { totp } = user
  if (!totp) return { methods: [], extraSteps: [] }
  const hash = otp ? await findRecoveryCode(Object.keys(totp.recoveryCodes), otp) : undefined
  // No one can guess a recovery code, so a right one is never refused. Wrong codes of others cannot shut out its owner.
  if (hash !== undefined) return proveByRecoveryCode(services, { user, totp, hash }, context)
  return checkGuess(services, { user, otp, context, describeNext }, async (code) => {
    const match = await matchTotpCode(services, {
      user,
      totp,
      code,
      drifts: getDriftsAround(totp.driftSteps),
    })
    return (
      match && {
        methods: ['otp'],
        use: useStep(totp, { ...match, latestStep: getLatestStep(services.now()) }),
        extraSteps: [],
      }
    )
  })
}

interface DriftRequest {
  readonly user: UserRecord
  readonly totp: TotpState
  readonly otp: GivenCode
  readonly context: RequestContext
  readonly extraSteps: readonly Step[]
}

/**
 * Stores the drift of an authenticator app, in one transaction with the extra steps. Accepts a code even if the clock is
 * further off than a sign-in allows.
 *
 * @throws AppError like `proveSecondFactor`
 */
export const learnDrift = (
  services: Services,
  { user, totp, otp, context, extraSteps }: DriftRequest,
): Promise<{ readonly driftSteps: number }> =>
  checkGuess(services, { user, otp, context }, async (code) => {
    const match = await matchTotpCode(services, { user, totp, code, drifts: allDrifts })
    return match &&
      (await useCode(
        services.table,
        user,
        useStep(totp, { ...match, latestStep: getLatestStep(services.now()) }),
        extraSteps,
      ))
      ? match
      : undefined
  })

/** A code that is checked against the limits. */
interface Guess {
  readonly user: UserRecord
  readonly otp: GivenCode
  readonly context: RequestContext
  readonly describeNext?: DescribeNext | undefined
}

/** Counts a guess before checking it, and takes it back unless the code is wrong. */
const checkGuess = async <Result>(
  services: Services,
  { user, otp, context, describeNext }: Guess,
  check: (code: string) => Promise<Result | undefined>,
): Promise<Result> => {
  if (!otp?.trim())
    throw new AppError('login_incomplete', {
      reason: 'otp_required',
      detail:
        'Send a code from the authenticator app or a recovery code as `otp`, or as `current_otp` to change a password.',
      members: (await describeNext?.()) ?? {},
    })
  const guess = await countCodeGuess(services, user, context)
  let outcome: Parameters<typeof guess.settle>[0] = 'unchecked'
  try {
    const result = await check(otp)
    outcome = result === undefined || guess.isLocked ? 'wrong' : 'right'
    if (result !== undefined && outcome === 'right') return result
  } finally {
    // Otherwise users who sign in often, or while keys cannot be decrypted, would lock themselves out.
    await guess.settle(outcome)
  }
  // A sign-in has no actor yet and stores the refusal itself.
  if (context.actor !== null)
    await writeAudit(services, context, 'totp.refused', { user: user.id, outcome: 'otp_invalid' })
  throw new AppError('login_incomplete', {
    reason: 'otp_invalid',
    detail: 'The one-time password is wrong, expired, or used. Wait for the next one.',
  })
}

interface TotpGuess {
  readonly user: UserRecord
  readonly totp: TotpState
  readonly code: string
  /** The clock drifts to accept, in time steps. */
  readonly drifts: readonly number[]
}

const matchTotpCode = async ({ vault, now }: Services, { user, totp, code, drifts }: TotpGuess) => {
  const digits = readTotpCode(code)
  if (digits === undefined) return undefined
  const key = await vault.decrypt(totp.encryptedKey, getTotpKeyContext(user.id))
  return matchCode(key, digits, { nowMs: now(), drifts, lastStep: totp.lastStep })
}

const proveByRecoveryCode = (
  services: Services,
  { user, totp, hash }: { readonly user: UserRecord; readonly totp: TotpState; readonly hash: string },
  context: RequestContext,
): Proof => {
  // Before the sign-in is complete, the request has no actor.
  const extraSteps = [
    auditStep(context, 'totp.recovery_code_used', { user: user.id, actor: context.actor ?? user.id }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'recovery_code_used' }),
  ]
  return { methods: ['recovery_code'], use: useRecoveryCode(totp, hash), extraSteps }
}

/** A guess of a one-time password that was counted before it is checked. */
interface CodeGuess {
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
const countCodeGuess = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<CodeGuess> => {
  const { table, config, log, now } = services
  const limit = config.rateLimits.otpGuesses
  const subject = getSubject(user, context)
  const countedAtMs = now()
  const item = await countEvent(table, limit, subject, countedAtMs, failureStreakMs)
  const refundWith = (streak: 'refund' | 'end') =>
    // A failure must not fail the request.
    refundEvent(table, limit, subject, countedAtMs, streak).catch((error: unknown) =>
      log.warn('limit.not_refunded', { error }),
    )
  const note = () => noteRefusal(services, { limit, subject, item, shown: { user: user.id } })
  if (getEventCount(item, limit, countedAtMs) > limit.max) {
    // The code is not checked, so this is no failure in a row.
    await refundWith('refund')
    await note()
    throw rateLimited(getRetryAfterSeconds(item, limit, countedAtMs))
  }
  return {
    isLocked: getStreak(item) > consecutiveFailuresMax,
    settle: async (outcome) => {
      if (outcome === 'right') return refundWith('end')
      if (outcome === 'unchecked') return refundWith('refund')
      if (getStreak(item) >= consecutiveFailuresMax) await note()
      const steps = buildSecurityNoticeStep(services, context, user, { kind: 'sign_in_locked' })
      // Exactly one of several concurrent guesses reaches the limit.
      if (getStreak(item) === consecutiveFailuresMax && steps.length > 0) await table.transact(steps)
    },
  }
}
