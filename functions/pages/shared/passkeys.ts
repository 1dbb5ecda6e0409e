import { type ApiResponse, callApi } from './call-api.ts'
import type { User } from './current-user.ts'

/** The answer of the service to a sign-in. */
export interface SignInResult {
  readonly user: User
  readonly redirect?: string | null
}

export const passkeysUnsupportedMessage = 'Passkeys do not work in this browser or at this address.'

const notUsedMessage = 'The passkey was not used. Try again.'

/** Messages by the name of the error of the browser (WebAuthn Level 3, section 5.1). */
const errorMessages: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys do not work at this address of the service.',
}

/** Whether the browser has passkeys and converts their options from JSON. No passkey belongs to an IP address. */
export const supportsPasskeys = (): boolean =>
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Explains why the browser returned no passkey. Most often the user closed its dialog. */
export const describePasskeyError = (error: unknown): string =>
  errorMessages[error instanceof Error ? error.name : ''] ?? notUsedMessage

/** Has the browser create a passkey. Rejects with a `DOMException` if it does not. */
export const createPasskey = async (options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return toJson(await navigator.credentials.create({ publicKey }))
}

type GetOptions = Pick<CredentialRequestOptions, 'mediation' | 'signal'>

/** Has the browser use a passkey. Rejects with a `DOMException` if it does not. */
export const requestPasskey = async (
  options: PublicKeyCredentialRequestOptionsJSON,
  { mediation, signal }: GetOptions = {},
): Promise<unknown> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return toJson(
    await navigator.credentials.get({
      publicKey,
      ...(mediation ? { mediation } : {}),
      ...(signal ? { signal } : {}),
    }),
  )
}

const toJson = (credential: Credential | null): unknown => {
  if (credential instanceof PublicKeyCredential) return credential.toJSON()
  throw new TypeError('The browser returned no passkey.')
}

/**
 * Signs in with a passkey: alone, or with the token of a right password. Rejects with a `DOMException` if the browser
 * returns none.
 */
export const signInWithPasskey = async (
  token: string | undefined,
  options: GetOptions = {},
): Promise<ApiResponse<SignInResult>> => {
  const secondFactor = token === undefined ? {} : { second_factor_token: token }
  const start = await callApi<PublicKeyCredentialRequestOptionsJSON>('POST', '/api/2/auth/passkeys/options', {
    body: secondFactor,
  })
  if (!start.isOk) return start
  const credential = await requestPasskey(start.body, options)
  const body = { credential, ...secondFactor }
  return callApi<SignInResult>('POST', '/api/2/auth/passkeys/login', { body })
}
