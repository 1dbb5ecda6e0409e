import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import type { SessionRecord } from '../sign-in/session.records.ts'
import type { Principal } from './principal.ts'

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

/**
 * Protects an account against a thief who has nothing but a session. Callers without a session pass, because only the
 * declaration of an operation decides whether it accepts API tokens.
 *
 * @throws AppError `permission_denied` with the reason `reauthentication_required`
 */
export const requireRecentAuthentication = (services: Services, { session }: Principal): void => {
  if (session && !isRecentlyAuthenticated(services, session)) throw createReauthenticationError()
}
