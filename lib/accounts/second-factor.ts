import { AppError } from '../core/errors.ts'
import { findHash, hashRecoveryCode } from '../secrets/recovery-codes.ts'
import { allDrifts, driftsAround, matchCode, readTotpCode } from '../secrets/totp.ts'
import type { Services } from '../services.ts'
import { useRecoveryCode, useStep } from '../store/totp.ts'
import type { Step } from '../store/transaction.ts'
import type { TotpState, UserRecord } from '../store/user-record.ts'
import { spend } from './throttle.ts'
import { recorded, type Visitor } from './visitor.ts'

/** A code as it was sent, if one was. */
export type GivenCode = string | null | undefined

/** A second factor that was proven, by a code that can still be used up. */
export interface Proof {
  /**
   * Uses the code up, and returns the user with its second factor as it is then.
   *
   * @throws AppError `login_incomplete`: `otp_invalid` when somebody else has used it up.
   */
  readonly use: () => Promise<UserRecord>
}

/**
 * Lets a user pass who has no second factor, or proves it by a code of its authenticator or a recovery code. The code
 * is good until it is used up: whoever has more to ask of the user asks first, so that no code is lost to a refusal.
 *
 * @throws AppError `login_incomplete`: `otp_required`, or `otp_invalid` for whatever is wrong, malformed or used.
 * @throws AppError `too_many_requests` after too many codes that were not right, from wherever they came.
 */
export const proveSecondFactor = async (
  services: Services,
  user: UserRecord,
  otp: GivenCode,
  visitor: Visitor,
): Promise<Proof> => {
  const { totp } = user
  if (!totp) return { use: async () => user }
  const take = await guessed(services, user, otp, (typed) => {
    const hash = hashRecoveryCode(user.id, typed)
    return hash
      ? findRecoveryCode(services, user, totp, hash, visitor)
      : findCode(services, user, totp, typed, driftsAround(totp.driftSteps))
  })
  return {
    use: async () => {
      const used = await take()
      if (!used) throw invalidCode()
      return { ...user, totp: used }
    },
  }
}

/** The same, and uses the code up at once. */
export const requireSecondFactor = async (
  ...asked: Parameters<typeof proveSecondFactor>
): Promise<UserRecord> => (await proveSecondFactor(...asked)).use()

/**
 * Takes a code of an authenticator whose clock is further off than a sign-in lets pass, and learns how far, in one
 * write with the steps in `along`.
 *
 * @throws AppError as `requireSecondFactor` does.
 */
export const learnDrift = (
  services: Services,
  user: UserRecord,
  totp: TotpState,
  otp: GivenCode,
  along: readonly Step[],
): Promise<TotpState> =>
  guessed(services, user, otp, async (typed) => {
    const take = await findCode(services, user, totp, typed, allDrifts, along)
    return take?.()
  })

/** What the key of an authenticator is encrypted for: its user, and nothing else that is ever encrypted. */
export const keyContext = (userId: number) => ({ purpose: 'totp', user: String(userId) })

/** Counts a guess before looking at it, and takes it back when it was none. */
const guessed = async <Result>(
  services: Services,
  user: UserRecord,
  otp: GivenCode,
  check: (typed: string) => Promise<Result | undefined>,
): Promise<Result> => {
  if (!otp?.trim())
    throw new AppError('login_incomplete', {
      reason: 'otp_required',
      detail: 'Send a code of the authenticator, or a recovery code, as otp.',
    })
  const giveBack = await spend(services, 'otpGuesses', String(user.id))
  const result = await check(otp)
  if (result === undefined) throw invalidCode()
  // Else whoever signs in often would lock itself out. The code may be used up by now, so this must not fail.
  await giveBack().catch((error: unknown) => services.log.warn('otp_guess.not_given_back', { error }))
  return result
}

const invalidCode = (): AppError =>
  new AppError('login_incomplete', {
    reason: 'otp_invalid',
    detail: 'The one-time password is wrong, expired or used. Wait for the next one.',
  })

/** Uses a code up that was found to be right; undefined when somebody else has. */
type Take = () => Promise<TotpState | undefined>

const findCode = async (
  { table, vault, now }: Services,
  user: UserRecord,
  totp: TotpState,
  typed: string,
  drifts: readonly number[],
  along: readonly Step[] = [],
): Promise<Take | undefined> => {
  const code = readTotpCode(typed)
  if (code === undefined) return undefined
  const key = await vault.decrypt(totp.encryptedKey, keyContext(user.id))
  const match = await matchCode(key, code, { nowMs: now(), drifts, lastStep: totp.lastStep })
  return match && (() => useStep(table, user, totp, match, along))
}

const findRecoveryCode = async (
  { table }: Services,
  user: UserRecord,
  totp: TotpState,
  hash: string,
  visitor: Visitor,
): Promise<Take | undefined> => {
  const known = findHash(Object.keys(totp.recoveryCodes), hash)
  if (known === undefined) return undefined
  // Whoever signs in is nobody until then.
  const facts = { user: user.id, actor: visitor.actor ?? user.id }
  return () =>
    useRecoveryCode(table, user, totp, known, [recorded(visitor, 'totp.recovery_code_used', facts)])
}
