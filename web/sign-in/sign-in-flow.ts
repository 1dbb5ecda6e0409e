import { type ApiFailure, type ApiResponse, callApi, type RequiredProvider } from '../kit/call-api.ts'
import { callWithProof } from '../kit/call-with-proof.ts'
import { requestPasskey, signalUnknownPasskey } from '../kit/passkeys.ts'
import type { PasswordPolicy } from '../new-password/password-policy.ts'
import type { SignInWay } from './last-way.ts'
import { request } from './sign-in-options.ts'

/** What follows a request to sign in: a session, another step, or a failure of this step. */
export type Outcome =
  | { readonly kind: 'signedIn'; readonly result: SignInResult; readonly way: SignInWay }
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }

/** Signs in with everything that the person entered so far. */
export const signIn = async (credentials: Credentials): Promise<Outcome> => {
  const { username, password, otp, newPassword, isRemembering } = credentials
  const body = {
    ...{ username, password, otp, new_password: newPassword },
    ...buildBrowserFields(isRemembering),
  }
  const login = { path: '/api/2/auth/login', body }
  const response = await callApi<SignInResult>('POST', login.path, { body })
  return toOutcome(response, login, credentials)
}

/** Has a code emailed. The answer is the same if the account does not exist. */
export const requestEmailCode = (username: string): Promise<ApiResponse<{ readonly request_id: string }>> =>
  callWithProof('/api/2/auth/email-code', { username })

/** Signs in with an emailed code, and the code of the authenticator app if the account needs one. */
export const signInWithEmailCode = async (
  requestId: string,
  code: string,
  { otp, isRemembering }: { readonly otp: string; readonly isRemembering: boolean },
): Promise<Outcome> => {
  const body = {
    request_id: requestId,
    code,
    ...(otp === '' ? {} : { otp }),
    ...buildBrowserFields(isRemembering),
  }
  const login = { path: '/api/2/auth/email-code/login', body }
  return toOutcome(await callApi<SignInResult>('POST', login.path, { body }), login, undefined)
}

/** What a request says about the browser. An address that asks for a new sign-in, or a second factor, is not met by a remembered one. */
const buildBrowserFields = (isRemembering: boolean | undefined) => ({
  ...(isRemembering ? { remember_device: true } : {}),
  ...(request.requiresSignIn || request.needsSecondFactor ? { ask_second_factor: true } : {}),
})

/** Adds a code of the authenticator app to the sign-in that is there. */
export const addCode = (otp: string): Promise<ApiResponse<unknown>> =>
  callApi('POST', '/api/2/auth/reauthenticate', { body: { otp } })

/** Opens the session that can only set up a second factor. */
export const startSetup = ({ path, body }: SetupLogin): Promise<ApiResponse<SignInResult>> =>
  callApi('POST', path, { body: { ...body, second_factor_setup: true } })

/** The sign-in by which a recovery code replaces a passkey that was lost. */
export const buildRecoveryLogin = ({ username, password }: Credentials, otp: string): SetupLogin => ({
  path: '/api/2/auth/login',
  body: { username, password, otp },
})

const toOutcome = (
  response: ApiResponse<SignInResult>,
  login: SetupLogin,
  credentials: Credentials | undefined,
): Outcome => {
  if (response.isOk)
    return { kind: 'signedIn', result: response.body, way: credentials ? 'password' : 'email_code' }
  const { reason, second_factor_token: passkeyToken, password_policy: policy } = response.problem
  const { is_password_breached: isBreached = false } = response.problem
  const rememberDays = response.problem.remember_device_days
  if (reason === 'account_disabled') return { kind: 'step', step: { name: 'disabled' } }
  if (reason === 'second_factor_setup_required') return { kind: 'step', step: { name: 'setup', login } }
  const { saml_provider: provider } = response.problem
  if (provider) return { kind: 'step', step: { name: 'provider', provider } }
  if (!credentials) return { kind: 'failed', failure: response }
  if (reason === 'passkey_required')
    return { kind: 'step', step: { name: 'passkey', credentials, passkeyToken, rememberDays } }
  if (reason === 'otp_required')
    return { kind: 'step', step: { name: 'code', credentials, passkeyToken, rememberDays } }
  if (reason === 'password_change_required')
    return { kind: 'step', step: { name: 'newPassword', credentials, policy, isBreached } }
  return { kind: 'failed', failure: response }
}

/** What the person sent so far. The last request repeats all of it, because the service keeps nothing in between. */
export interface Credentials {
  readonly username: string
  readonly password: string
  readonly otp?: string
  readonly newPassword?: string
  /** Whether the browser is to be remembered after the second factor. */
  readonly isRemembering?: boolean
}

/** What the second factor of a sign-in needs. */
export interface SecondFactorStep {
  readonly credentials: Credentials
  /** Set if a passkey can be it. */
  readonly passkeyToken: string | undefined
  /** For how many days the browser can be remembered. Undefined if it cannot. */
  readonly rememberDays: number | undefined
}

/** Who is signed in, as the page shows them. */
export interface SignedIn {
  readonly name: string
  readonly isGuest: boolean
  readonly canAdminister: boolean
}

/** What the page shows. */
export type Step =
  | { readonly name: 'credentials'; readonly notice?: string; readonly problem?: string }
  | { readonly name: 'addCode'; readonly user: SignedIn }
  | ({ readonly name: 'code' | 'passkey' } & SecondFactorStep)
  | { readonly name: 'lostPasskey'; readonly credentials: Credentials }
  | {
      readonly name: 'newPassword'
      readonly credentials: Credentials
      readonly policy: PasswordPolicy | undefined
      /** Whether the old password was found in a data breach. */
      readonly isBreached: boolean
    }
  | { readonly name: 'setup'; readonly login: SetupLogin }
  | { readonly name: 'emailCode'; readonly username: string; readonly requestId: string }
  | { readonly name: 'forgotPassword'; readonly username: string }
  | { readonly name: 'provider'; readonly provider: RequiredProvider }
  | { readonly name: 'disabled' }
  | { readonly name: 'emailAddress' | 'passkeyOffer'; readonly result: SignInResult }
  | { readonly name: 'signedIn' | 'leaving'; readonly user: SignedIn; readonly problem?: string }

/** The request that opens a session for the setup of a second factor. */
export interface SetupLogin {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The answer of the service to a sign-in. */
export interface SignInResult {
  readonly user: SignedInUser
  readonly redirect?: string | null
}

interface SignedInUser {
  readonly id: number
  readonly display_name: string
  readonly email?: string | null
  readonly email_verified?: boolean
  readonly effective_permissions?: readonly string[]
}

const postOnce: typeof callWithProof = (path, body) => callApi('POST', path, { body })

/**
 * Signs in with a passkey: alone, or with the token of a right password. Rejects with a `DOMException` if the browser
 * returns none.
 */
export const signInWithPasskey = async (
  token: string | undefined,
  options: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
  isRemembering = false,
): Promise<ApiResponse<SignInResult>> => {
  const secondFactor = token === undefined ? {} : { second_factor_token: token }
  // A page that only offers passkeys in a field makes no proof, before anyone asks for one.
  const request = options.mediation === 'conditional' ? postOnce : callWithProof
  const start = await request<PublicKeyCredentialRequestOptionsJSON>(
    '/api/2/auth/passkeys/options',
    secondFactor,
  )
  if (!start.isOk) return start
  const credential = await requestPasskey(start.body, options)
  const response = await callApi<SignInResult>('POST', '/api/2/auth/passkeys/login', {
    body: { credential, ...secondFactor, ...(isRemembering ? { remember_device: true } : {}) },
  })
  // With a token, the passkey can be a right one of somebody else.
  if (!response.isOk && token === undefined && response.problem.reason === 'passkey_unknown')
    await signalUnknownPasskey(start.body.rpId, credential.id)
  return response
}
