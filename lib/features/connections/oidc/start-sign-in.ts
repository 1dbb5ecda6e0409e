import { createHmac, randomBytes } from 'node:crypto'
import { AppError } from '../../../kernel/errors/errors.ts'
import type { Services } from '../../../services.ts'
import { chooseAuthnContexts } from '../connection-rules.ts'
import type { OfProvider } from '../public-providers.models.ts'
import { type SignInOptions, storeStart } from '../start-sign-in.ts'
import { getRedirectUri, openIdentityProvider } from './identity-provider.ts'
import { getProviderRow } from './providers/rows.ts'
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
 * Whether the provider is asked for a new sign-in with `max_age`, so that its ID token must have `auth_time` (OpenID Connect Core 2).
 */
export const asksForTime = (connection: OfProvider): boolean =>
  getProviderRow(connection).newSignIn.max_age !== undefined

/**
 * Starts a sign-in through an OpenID Connect connection, and returns the URL for the browser. It uses PKCE with S256, a
 * nonce, and a `state` that is also the key of the stored sign-in.
 *
 * @throws AppError `upstream_failed` if the identity provider cannot be reached
 * @throws AppError `permission_denied` if the provider cannot return to this service
 */
export const startOidcSignIn = async (
  services: Services,
  connection: OidcConnection,
  browserSecret: string,
  options: SignInOptions,
): Promise<string> => {
  const row = getProviderRow(connection)
  const problem = row.explainReturn(services.config, connection)
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
    scope: row.toScopes(connection.scopes).join(' '),
    state,
    // It is for an ID token.
    ...(row.user.from === 'id_token' ? { nonce: deriveFromBrowser('nonce', browserSecret, state) } : {}),
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(row.answer.mode === 'query' ? {} : { response_mode: row.answer.mode }),
    ...(options.forceAuthn ? row.newSignIn : {}),
    ...(contexts.length > 0 ? { acr_values: contexts.join(' ') } : {}),
    ...(connection.hosted_domain === null ? {} : { hd: connection.hosted_domain }),
  })
  return url.href
}
