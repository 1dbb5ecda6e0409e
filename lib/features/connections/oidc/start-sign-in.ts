import { createHmac, randomBytes } from 'node:crypto'
import { signInRequestMs } from '../../../kernel/limits/connection-limits.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import { chooseAuthnContexts } from '../connection-rules.ts'
import { hashBrowserSecret, type SignInOptions } from '../saml/start-sign-in.ts'
import { storeOidcFlow } from './flows.records.ts'
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
 * Starts a sign-in through an OpenID Connect connection, and returns the URL for the browser. It uses PKCE with S256, a
 * nonce, and a `state` that is also the key of the stored sign-in.
 *
 * @throws AppError `upstream_failed` if the identity provider cannot be reached
 */
export const startOidcSignIn = async (
  services: Services,
  connection: OidcConnection,
  browserSecret: string,
  { returnTo, forceAuthn, linkTo, device, isTest, invitation, ...options }: SignInOptions,
): Promise<string> => {
  const { table, config, now } = services
  const library = await import('openid-client')
  const provider = await openIdentityProvider(services, connection)
  const startedAt = now()
  const state = randomBytes(24).toString('base64url')
  await storeOidcFlow(
    table,
    connection.id,
    {
      state,
      issuer: connection.issuer,
      forceAuthn,
      startedAt,
      returnTo,
      browser: hashBrowserSecret(browserSecret),
      link: linkTo ? { userId: linkTo.user.id, session: linkTo.hash } : null,
      ...omitUndefined({ invitation, device: device?.hash, isTest: isTest || undefined }),
    },
    startedAt + signInRequestMs,
  )
  const contexts = chooseAuthnContexts(connection, options)
  const verifier = deriveFromBrowser('code-verifier', browserSecret, state)
  const url = library.buildAuthorizationUrl(provider, {
    redirect_uri: getRedirectUri(config.publicUrl, connection.id),
    scope: connection.scopes.join(' '),
    state,
    nonce: deriveFromBrowser('nonce', browserSecret, state),
    code_challenge: await library.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(forceAuthn ? { prompt: 'login', max_age: '0' } : {}),
    ...(contexts.length > 0 ? { acr_values: contexts.join(' ') } : {}),
    ...(connection.hosted_domain === null ? {} : { hd: connection.hosted_domain }),
  })
  return url.href
}
