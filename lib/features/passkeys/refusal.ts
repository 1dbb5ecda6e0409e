import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
/** Why a passkey is not accepted. These are reasons of `login_failed`. */
export type PasskeyRefusalReason = 'passkey_invalid' | 'passkey_unknown' | 'user_verification_required'

/** A passkey is not accepted. Use cases turn this into an answer and an audit event. */
export class PasskeyRefused extends Error {
  readonly reason: PasskeyRefusalReason
  /** The owner of the passkey, if it is known. */
  readonly userId: number | null

  constructor(reason: PasskeyRefusalReason, userId: number | null = null) {
    super(`the passkey is refused: ${reason}`)
    this.name = 'PasskeyRefused'
    this.reason = reason
    this.userId = userId
  }
}

const details: Readonly<Record<PasskeyRefusalReason, string>> = {
  passkey_invalid: 'The passkey was not accepted. Try again.',
  passkey_unknown: 'This passkey is not registered here. Use another one, or sign in with your password.',
  user_verification_required:
    'The passkey did not verify you by a fingerprint, face or PIN. Sign in with your password.',
}

/**
 * Counts a refused passkey, writes the audit event and returns the error for the caller. Answers of passkeys cannot be
 * guessed, so failures are counted for the network alone and never keep a right answer out.
 *
 * @throws AppError `too_many_requests` when the network has too many failures
 */
export const recordRefusal = async (
  services: Services,
  context: RequestContext,
  { reason, userId }: PasskeyRefused,
): Promise<AppError> => {
  await auditRefusal(services, context, 'login.failed', { user: userId, outcome: reason })
  await countFailedLookup(services, context)
  return new AppError('login_failed', { reason, detail: details[reason] })
}
