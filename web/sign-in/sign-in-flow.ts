import { type ApiFailure, type ApiResponse, callApi } from '../kit/call-api.ts'
import type { SignInResult } from './sign-in-with-passkey.ts'
import type { Credentials, SetupLogin, Step } from './steps.ts'

/** What follows a request to sign in: a session, another step, or a failure of this step. */
export type Outcome =
  | { readonly kind: 'signedIn'; readonly result: SignInResult }
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }

/** Signs in with everything that the person entered so far. */
export const signIn = async (credentials: Credentials): Promise<Outcome> => {
  const { username, password, otp, newPassword } = credentials
  const body = {
    ...{ username, password },
    ...(otp === undefined ? {} : { otp }),
    ...(newPassword === undefined ? {} : { new_password: newPassword }),
  }
  const login = { path: '/api/2/auth/login', body }
  const response = await callApi<SignInResult>('POST', login.path, { body })
  return toOutcome(response, login, credentials)
}

/** Signs in with an emailed code, and the code of the authenticator app if the account needs one. */
export const signInWithEmailCode = async (requestId: string, code: string, otp: string): Promise<Outcome> => {
  const body = { request_id: requestId, code, ...(otp === '' ? {} : { otp }) }
  const login = { path: '/api/2/auth/email-code/login', body }
  return toOutcome(await callApi<SignInResult>('POST', login.path, { body }), login, undefined)
}

/** Opens the session that can only set up a second factor. */
export const startSetup = ({ path, body }: SetupLogin): Promise<ApiResponse<SignInResult>> =>
  callApi('POST', path, { body: { ...body, second_factor_setup: true } })

const toOutcome = (
  response: ApiResponse<SignInResult>,
  login: SetupLogin,
  credentials: Credentials | undefined,
): Outcome => {
  if (response.isOk) return { kind: 'signedIn', result: response.body }
  const { reason, second_factor_token: passkeyToken } = response.problem
  if (reason === 'account_disabled') return { kind: 'step', step: { name: 'disabled' } }
  if (reason === 'second_factor_setup_required') return { kind: 'step', step: { name: 'setup', login } }
  if (!credentials) return { kind: 'failed', failure: response }
  if (reason === 'passkey_required')
    return { kind: 'step', step: { name: 'passkey', credentials, passkeyToken } }
  if (reason === 'otp_required') return { kind: 'step', step: { name: 'code', credentials, passkeyToken } }
  if (reason === 'password_change_required')
    return { kind: 'step', step: { name: 'newPassword', credentials } }
  return { kind: 'failed', failure: response }
}
