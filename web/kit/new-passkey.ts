import { findAuthenticatorName } from './authenticator-name.ts'
import { type ApiFailure, callApi } from './call-api.ts'
import { createPasskey, describePasskeyError } from './passkeys.ts'

const path = '/api/2/users/me/passkeys'

/** What stopped a new passkey: the service, or the browser and the person in front of it. */
export type PasskeyProblem = ApiFailure | string | undefined

/** Has the browser create a passkey, and stores it under the name, or under that of its authenticator. */
export const addPasskey = async (name: string, unknownName: string): Promise<PasskeyProblem> => {
  const start = await callApi<PublicKeyCredentialCreationOptionsJSON>('POST', `${path}/options`)
  if (!start.isOk) return start
  const credential = await createPasskey(start.body).catch(describePasskeyError)
  if (typeof credential === 'string') return credential
  const chosen = name.trim() || findAuthenticatorName(credential.response.authenticatorData) || unknownName
  const response = await callApi('POST', path, { body: { name: chosen, credential } })
  return response.isOk ? undefined : response
}
