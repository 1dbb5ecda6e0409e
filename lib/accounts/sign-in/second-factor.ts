import { AppError } from '../../core/errors.ts'
import { findHash, hashRecoveryCode } from '../../secrets/recovery-codes.ts'
import { allDrifts, getDriftsAround, matchCode, readTotpCode } from '../../secrets/totp.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { TotpState, UserRecord } from '../../store/records/user-record.ts'
import { type CodeUse, useCode, useRecoveryCode, useStep } from '../../store/sign-in/totp.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { consume, tryRefund } from '../common/throttle.ts'
import { getTotpKeyContext } from '../common/totp-key.ts'

/** A code as it was sent, if one was. */
export type GivenCode = string | null | undefined

/** A second factor that was proven, by a code that can still be used up; by none where there is no second factor. */
export interface Proof {
  /** Goes into the transaction of what was asked for, so that both happen or neither does. */
  readonly use?: CodeUse
  /** What goes along with that. */
  readonly along: readonly Step[]
}

/**
 * Lets a user pass who has no second factor, or proves it by a code of its authenticator or a recovery code. The code
 * is good until it is used up, which happens with what it was sent for: none is lost to a refusal or a fault.
 *
 * @throws AppError `login_incomplete`: `otp_required`, or `otp_invalid` for whatever is wrong, malformed or used.
 * @throws AppError `too_many_requests` after too many codes that were not right, from wherever they came.
 */
export const proveSecondFactor = async (
  services: Services,
  user: UserRecord,
  otp: GivenCode,
  context: RequestContext,
): Promise<Proof> => {
  const { totp } = user
  if (!totp) return { along: [] }
  return guessed(services, user, otp, async (typed) => {
    const hash = hashRecoveryCode(user.id, typed)
    if (hash) return findRecoveryCode(user, totp, hash, context)
    const match = await findStep(services, user, totp, typed, getDriftsAround(totp.driftSteps))
    return match && { use: useStep(totp, match), along: [] }
  })
}

/**
 * Takes a code of an authenticator whose clock is further off than a sign-in lets pass, and learns how far, in one
 * write with the steps in `along`.
 *
 * @throws AppError as `proveSecondFactor` does.
 */
export const learnDrift = (
  services: Services,
  user: UserRecord,
  totp: TotpState,
  otp: GivenCode,
  along: readonly Step[],
): Promise<{ readonly driftSteps: number }> =>
  guessed(services, user, otp, async (typed) => {
    const match = await findStep(services, user, totp, typed, allDrifts)
    return match && (await useCode(services.table, user, useStep(totp, match), along)) ? match : undefined
  })

/** Counts a guess before looking at it, and takes it back unless it was a wrong one. */
const guessed = async <Result>(
  services: Services,
  user: UserRecord,
  otp: GivenCode,
  check: (typed: string) => Promise<Result | undefined>,
): Promise<Result> => {
  if (!otp?.trim())
    throw new AppError('login_incomplete', {
      reason: 'otp_required',
      detail:
        'Send a code of the authenticator, or a recovery code, as otp; to change a password, as current_otp.',
    })
  const giveBack = await consume(services, 'otpGuesses', String(user.id))
  let isWrong = false
  try {
    const result = await check(otp)
    if (result !== undefined) return result
    isWrong = true
  } finally {
    // Else whoever signs in often would lock itself out, and so would everybody while keys can't be decrypted.
    if (!isWrong) await tryRefund(services, giveBack)
  }
  throw new AppError('login_incomplete', {
    reason: 'otp_invalid',
    detail: 'The one-time password is wrong, expired or used. Wait for the next one.',
  })
}

const findStep = async (
  { vault, now }: Services,
  user: UserRecord,
  totp: TotpState,
  typed: string,
  drifts: readonly number[],
) => {
  const code = readTotpCode(typed)
  if (code === undefined) return undefined
  const key = await vault.decrypt(totp.encryptedKey, getTotpKeyContext(user.id))
  return matchCode(key, code, { nowMs: now(), drifts, lastStep: totp.lastStep })
}

const findRecoveryCode = (
  user: UserRecord,
  totp: TotpState,
  hash: string,
  context: RequestContext,
): Proof | undefined => {
  const known = findHash(Object.keys(totp.recoveryCodes), hash)
  if (known === undefined) return undefined
  // Whoever signs in is nobody until then.
  const facts = { user: user.id, actor: context.actor ?? user.id }
  return { use: useRecoveryCode(totp, known), along: [auditStep(context, 'totp.recovery_code_used', facts)] }
}
