import { mintChallenge } from '../../lib/accounts/passkeys/challenges.ts'
import { buildRequestOptions } from '../../lib/accounts/passkeys/options.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findPasskeys } from '../../lib/store/sign-in/passkeys.ts'
import { buildLoginBinding, requireSecondFactorToken } from './login-binding.ts'

/**
 * Starts a sign-in with a passkey. Without a token, the answer is the same for everyone and names no passkeys. With the
 * token of a right password, it names those of the user.
 */
export const startPasskeyLogin: UseCase<typeof passkeys.startPasskeyLogin> = async (
  { body, context },
  services,
) => {
  const settings = services.config.passkeys
  const found = await requireSecondFactorToken(services, context, body.second_factor_token)
  const challenge = await mintChallenge(services, context, buildLoginBinding(found?.token))
  const allowed = found ? await findPasskeys(services.table, found.user.id) : []
  const userVerification = found ? settings.userVerification : 'required'
  return { status: 200, body: buildRequestOptions(settings, { challenge, userVerification, allowed }) }
}
