import { AppError } from '../../errors/errors.ts'
import type { Services } from '../../services.ts'
import { countFailedLookup } from '../common/lookup-throttle.ts'
import { auditRefusal } from '../common/refusal-audit.ts'
import type { RequestContext } from '../common/request-context.ts'
import type { PasskeyRefusalReason, PasskeyRefused } from './refusal.ts'

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
