import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { ChallengeBinding } from '../../lib/accounts/passkeys/challenges.ts'
import { recordRefusal } from '../../lib/accounts/passkeys/record-refusal.ts'
import { PasskeyRefused } from '../../lib/accounts/passkeys/refusal.ts'
import { findSecondFactorToken } from '../../lib/accounts/sign-in/second-factor-tokens.ts'
import type { Services } from '../../lib/services.ts'
import type { SecondFactorTokenRecord } from '../../lib/store/sign-in/second-factor-tokens.ts'

/** A challenge after a password belongs to the token of that password. Otherwise, anyone may answer it. */
export const buildLoginBinding = (token: SecondFactorTokenRecord | undefined): ChallengeBinding =>
  token
    ? { purpose: 'second_factor', userId: token.userId, holder: token.hash }
    : { purpose: 'sign_in', userId: null, holder: null }

/**
 * Finds the token of a right password and its user. Returns undefined if none was sent.
 *
 * @throws AppError `login_failed` if the token does not work
 */
export const requireSecondFactorToken = async (
  services: Services,
  context: RequestContext,
  value: string | undefined,
): ReturnType<typeof findSecondFactorToken> => {
  if (value === undefined) return undefined
  const found = await findSecondFactorToken(services, context, value)
  if (found) return found
  throw await recordRefusal(services, context, new PasskeyRefused('passkey_invalid'))
}
