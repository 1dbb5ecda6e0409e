import type { SessionRecord, SetupLimit } from '../../accounts/sessions/stored-session.records.ts'
import { hasPasskeys } from '../../accounts/users/account-state.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { secondFactorSetupMs } from '../../kernel/limits/limits.ts'
import type { MissingProof, ProofRules } from './missing-proofs.ts'

/** How the sign-in policy limits a session. */
export type SessionLimits = Pick<SessionRecord, 'limitedTo' | 'secondFactorRequiredFrom'> & {
  /** Epoch milliseconds. */
  readonly expiresAt?: number
}

/**
 * Limits the session of a sign-in without what the policy requires. Before the deadline, the session ends with the deadline.
 * Afterwards it can only set up what is required, and only on request: other clients would not understand it.
 *
 * @throws AppError `login_incomplete` with `second_factor_setup_required` or `passkey_required`
 */
export const limitSession = (
  { user, deadline, nowMs }: ProofRules,
  missing: readonly MissingProof[],
  { wantsSetup }: { readonly wantsSetup: boolean },
): SessionLimits => {
  if (missing.some(({ kind }) => kind === 'passkey')) throw createPasskeyRequiredError(user)
  const setup = missing.find((one) => one.kind === 'setup')
  if (!setup)
    return deadline && deadline.at > nowMs
      ? { secondFactorRequiredFrom: deadline.at, expiresAt: deadline.at }
      : {}
  if (!wantsSetup) throw createSignInSetupError(setup.limitedTo)
  return {
    secondFactorRequiredFrom: setup.since,
    limitedTo: setup.limitedTo,
    expiresAt: nowMs + secondFactorSetupMs,
  }
}

const createSignInSetupError = (limitedTo: SetupLimit): AppError =>
  new AppError('login_incomplete', {
    reason: 'second_factor_setup_required',
    detail:
      limitedTo === 'passkey_setup'
        ? 'This account needs a passkey. Sign in with `second_factor_setup` to get a session that can add one.'
        : 'This account needs a second factor. Sign in with `second_factor_setup` to get a session that can set one up.',
  })

/** The answer to a right proof that does not replace the passkey of its account. */
export const createPasskeyRequiredError = (user: ProofRules['user']): AppError =>
  new AppError('login_incomplete', {
    reason: 'passkey_required',
    detail: hasPasskeys(user)
      ? 'Sign in with your passkey.'
      : 'The account needs a second factor. Sign in with a passkey, or with a password and a code.',
  })
