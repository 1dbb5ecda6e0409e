import * as z from 'zod/mini'
import { anyText, flag, integer, nonEmptyText, texts } from './fields.ts'

// Messages of OAuth and OpenID Connect. Servers ignore parameters that they do not know (RFC 6749 3.1).

const optionalText = z.optional(anyText)

/** The parameters of an authorization (OpenID Connect Core 3.1.2.1). Which of them are required is up to the protocol. */
export const AuthorizationRequest = z.object({
  client_id: optionalText,
  redirect_uri: optionalText,
  response_type: optionalText,
  scope: optionalText,
  state: optionalText,
  nonce: optionalText,
  code_challenge: optionalText,
  code_challenge_method: optionalText,
  response_mode: optionalText,
  resource: optionalText,
  prompt: optionalText,
  max_age: optionalText,
  acr_values: optionalText,
  login_hint: optionalText,
  id_token_hint: optionalText,
  ui_locales: optionalText,
  // These are not supported. They are read so that the answer says so.
  request: optionalText,
  request_uri: optionalText,
  registration: optionalText,
})
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>

/** RFC 6749 4.1.3 and 6. */
export const TokenRequest = z.object({
  grant_type: optionalText,
  code: optionalText,
  redirect_uri: optionalText,
  code_verifier: optionalText,
  refresh_token: optionalText,
  scope: optionalText,
  resource: optionalText,
  client_id: optionalText,
  client_secret: optionalText,
})
export type TokenRequest = z.output<typeof TokenRequest>

/** RFC 6749 5.1 and OpenID Connect Core 3.1.3.3. */
export const TokenResponse = z.strictObject({
  access_token: nonEmptyText,
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: integer,
  id_token: z.optional(nonEmptyText),
  refresh_token: z.optional(nonEmptyText),
  scope: z.optional(anyText),
})
export type TokenResponse = z.output<typeof TokenResponse>

/** RFC 6749 5.2. */
export const OAuthError = z.strictObject({
  error: nonEmptyText,
  error_description: z.optional(nonEmptyText),
  scope: z.optional(anyText),
})
export type OAuthError = z.output<typeof OAuthError>

/** OpenID Connect RP-Initiated Logout 2. */
export const LogoutRequest = z.object({
  id_token_hint: optionalText,
  client_id: optionalText,
  post_logout_redirect_uri: optionalText,
  state: optionalText,
  ui_locales: optionalText,
  logout_hint: optionalText,
})
export type LogoutRequest = z.output<typeof LogoutRequest>

/** The answers of the page that asks whether to sign out. */
export const LogoutConfirmation = z.object({
  client_id: optionalText,
  post_logout_redirect_uri: optionalText,
  state: optionalText,
})
export type LogoutConfirmation = z.output<typeof LogoutConfirmation>

/** OpenID Connect Discovery 3 and RFC 8414 2. */
export const ProviderMetadata = z.strictObject({
  issuer: nonEmptyText,
  jwks_uri: nonEmptyText,
  authorization_endpoint: nonEmptyText,
  token_endpoint: nonEmptyText,
  userinfo_endpoint: nonEmptyText,
  introspection_endpoint: nonEmptyText,
  revocation_endpoint: nonEmptyText,
  end_session_endpoint: nonEmptyText,
  response_types_supported: texts,
  response_modes_supported: texts,
  grant_types_supported: texts,
  code_challenge_methods_supported: texts,
  token_endpoint_auth_methods_supported: texts,
  scopes_supported: texts,
  claims_supported: texts,
  claim_types_supported: texts,
  acr_values_supported: texts,
  prompt_values_supported: texts,
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  authorization_response_iss_parameter_supported: flag,
  claims_parameter_supported: flag,
  request_uri_parameter_supported: flag,
  backchannel_logout_supported: flag,
  backchannel_logout_session_supported: flag,
})
export type ProviderMetadata = z.output<typeof ProviderMetadata>
