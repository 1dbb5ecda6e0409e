import { type ApiResponse, callApi } from '../kit/call-api.ts'

/** What the page shows of an invitation: `Invitation` of the API. */
export interface Invitation {
  readonly username: string
  readonly full_name: string | null
  readonly email: string
  readonly invited_by: string | null
  readonly allows_password: boolean
  readonly allows_passkey: boolean
  readonly providers: readonly { readonly id: number; readonly name: string }[]
}

/** The result of an accepted invitation, after which the browser has a session. */
export interface Accepted {
  readonly redirect?: string
}

const path = '/api/2/auth/invitation'

export const findInvitation = (token: string): Promise<ApiResponse<Invitation>> =>
  callApi('POST', path, { body: { token } })

export const acceptWithPassword = (
  token: string,
  password: string,
  isForSetup: boolean,
): Promise<ApiResponse<Accepted>> =>
  callApi('POST', `${path}/accept`, {
    body: { token, password, ...(isForSetup ? { second_factor_setup: true } : {}) },
  })

export const startPasskey = (token: string): Promise<ApiResponse<PublicKeyCredentialCreationOptionsJSON>> =>
  callApi('POST', `${path}/passkey/options`, { body: { token } })

export const acceptWithPasskey = (token: string, credential: unknown): Promise<ApiResponse<Accepted>> =>
  callApi('POST', `${path}/passkey`, { body: { token, credential } })

export const startProvider = (
  token: string,
  providerId: number,
): Promise<ApiResponse<{ readonly url: string }>> =>
  callApi('POST', `/api/2/auth/saml/${providerId}/invitation`, { body: { token } })
