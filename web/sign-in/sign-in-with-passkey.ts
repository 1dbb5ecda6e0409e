import { type ApiResponse, callApi } from '../kit/call-api.ts'
import { requestPasskey } from '../kit/passkeys.ts'

/** The answer of the service to a sign-in. */
export interface SignInResult {
  readonly user: SignedInUser
  readonly redirect?: string | null
}

interface SignedInUser {
  readonly display_name: string
  readonly effective_permissions?: readonly string[]
}

/**
 * Signs in with a passkey: alone, or with the token of a right password. Rejects with a `DOMException` if the browser
 * returns none.
 */
export const signInWithPasskey = async (
  token: string | undefined,
  options: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<ApiResponse<SignInResult>> => {
  const secondFactor = token === undefined ? {} : { second_factor_token: token }
  const start = await callApi<PublicKeyCredentialRequestOptionsJSON>('POST', '/api/2/auth/passkeys/options', {
    body: secondFactor,
  })
  if (!start.isOk) return start
  const credential = await requestPasskey(start.body, options)
  return callApi<SignInResult>('POST', '/api/2/auth/passkeys/login', {
    body: { credential, ...secondFactor },
  })
}
