import { createHmac, randomBytes } from 'node:crypto'
import { AppError } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import { chooseAuthnContexts } from '../connection-rules.ts'
import { type SignInOptions, storeStart } from '../start-sign-in.ts'
import { explainReturn, isApple, toAppleScopes } from './apple.ts'
import { isGithub, toGithubScopes } from './github.ts'
import { getRedirectUri, openIdentityProvider } from './identity-provider.ts'
import type { OidcConnection } from './records.ts'

/**
 * A value that only the browser of a sign-in can name: derived from its cookie and the `state`. So the table has neither
 * the nonce nor the code verifier.
 */
export const deriveFromBrowser = (
  use: 'nonce' | 'code-verifier',
  browserSecret: string,
  state: string,
): string => createHmac('sha256', browserSecret).update(`${use} ${state}`).digest('base64url')

/**
 * Google and GitHub know no prompt for a password: https://developers.google.com/identity/openid-connect/openid-connect and
 * https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps. Apple knows no prompt at all:
 * https://developer.apple.com/documentation/signinwithapplerestapi/request-an-authorization-to-the-sign-in-with-apple-server. Microsoft
 * knows no `max_age`:
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow. All in November 2026.
 */
const askForProof = (connection: OidcConnection) => {
  const { public_provider: provider } = connection
  if (provider === 'apple') return {}
  if (provider === 'google' || provider === 'github') return { prompt: 'select_account' }
  return { prompt: 'login', ...(asksForTime(connection) ? { max_age: '0' } : {}) }
}

/**
 * Whether the provider is asked for a new sign-in with `max_age`, so that its ID token must have `auth_time` (OpenID Connect Core 2): a
 * company, or any provider of OpenID Connect for everybody that has no rules of its own.
 */
export const asksForTime = ({
  public_provider: provider,
}: Pick<OidcConnection, 'public_provider'>): boolean => provider == null || provider === 'oidc'

const chooseScopes = (connection: OidcConnection): readonly string[] => {
  const { scopes } = connection
  if (isApple(connection)) return toAppleScopes(scopes)
  return isGithub(connection) ? toGithubScopes(scopes) : scopes
}

/**
 * Starts a sign-in through an OpenID Connect connection, and returns the URL for the browser. It uses PKCE with S256, a
 * nonce, and a `state` that is also the key of the stored sign-in.
 *
 * @throws AppError `upstream_failed` if the identity provider cannot be reached
 * @throws AppError `permission_denied` if Apple cannot return to this service
 */
export const startOidcSignIn = async (
  services: Services,
  connection: OidcConnection,
  browserSecret: string,
  options: SignInOptions,
): Promise<string> => {
  const problem = isApple(connection) ? explainReturn(services.config, connection) : undefined
  if (problem !== undefined)
    throw new AppError('permission_denied', { reason: 'needs_https', detail: problem, tryAgain: null })
  const library = await import('openid-client')
  const provider = await openIdentityProvider(services, connection)
  const state = randomBytes(24).toString('base64url')
  await storeStart(services, connection, { id: state, issuer: connection.issuer, browserSecret }, options)
  const contexts = chooseAuthnContexts(connection, options)
  const verifier = deriveFromBrowser('code-verifier', browserSecret, state)
  const url = library.buildAuthorizationUrl(provider, {
    redirect_uri: getRedirectUri(services.config.publicUrl, connection.id),
    scope: chooseScopes(connection).join(' '),
    state,
    // It is for an ID token.
    ...(isGithub(connection) ? {} : { nonce: deriveFromBrowser('nonce', browserSecret, state) }),
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Apple requires it for these scopes.
    ...(isApple(connection) ? { response_mode: 'form_post' } : {}),
    ...(options.forceAuthn ? askForProof(connection) : {}),
    ...(contexts.length > 0 ? { acr_values: contexts.join(' ') } : {}),
    ...(connection.hosted_domain === null ? {} : { hd: connection.hosted_domain }),
  })
  return url.href
}
