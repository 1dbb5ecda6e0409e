import type { Principal } from '../../accounts/callers/principal.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import type { Operation } from '../../kernel/contract/operation.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'

/** Whether the user of a session proved their identity recently. Neither an access link nor a remembered device is such a proof. */
export const isRecentlyAuthenticated = (
  { config, now }: Services,
  { authentication, accessLink }: SessionRecord,
): boolean => {
  if (accessLink || authentication.isFactorRemembered) return false
  const sinceMs = now() - authentication.at
  // A time far ahead is that of a wrong clock. Clocks that differ by seconds must not ask for another proof.
  return Math.abs(sinceMs) <= config.recentAuthenticationMs
}

export const createReauthenticationError = (): AppError =>
  new AppError('permission_denied', {
    reason: 'reauthentication_required',
    detail: 'Confirm your identity with `confirm_identity`, or sign in again. Then repeat the request.',
    tryAgain: null,
  })

interface RecentProofOptions {
  /** Whether the operation can set up what the policy requires: it is not refused for missing that. See `Operation`. */
  readonly setsUp?: Operation['allowsSetupSession']
}

/**
 * Whether the caller has a recent proof of identity that would sign them in now. The policy or the account can have changed since. Callers
 * without a session have one, because only the declaration of an operation decides whether it accepts API tokens.
 */
export const hasRecentProof = async (
  services: Services,
  principal: Principal,
  { setsUp }: RecentProofOptions = {},
): Promise<boolean> => {
  const { session } = principal
  if (!session) return true
  if (!isRecentlyAuthenticated(services, session)) return false
  // Loaded on demand, because few requests change what a stolen session must not change.
  const { findMissingInSession } = await import('./missing-in-session.ts')
  const missing = await findMissingInSession(services, { ...principal, session })
  return missing.every(
    (one) =>
      one.kind === 'setup' &&
      (setsUp === true || (setsUp === 'without_passkey' && one.limitedTo !== 'passkey_setup')),
  )
}

/**
 * Protects an account against a thief who has nothing but a session.
 *
 * @throws AppError `permission_denied` with the reason `reauthentication_required`
 */
export const requireRecentAuthentication = async (
  services: Services,
  principal: Principal,
  options?: RecentProofOptions,
): Promise<void> => {
  if (!(await hasRecentProof(services, principal, options))) throw createReauthenticationError()
}
