import { getClaim } from '../get-claim.ts'
import { fieldsOfPublic, withoutApple } from './field-rules.ts'
import type { ProviderRow } from './provider-row.ts'

/** What GitHub calls the scopes of OpenID Connect. It has none for `openid`. */
const scopeNames: ReadonlyMap<string, string> = new Map([
  ['profile', 'read:user'],
  ['email', 'user:email'],
])

/**
 * Accounts of GitHub for everybody. It speaks OAuth 2.0 without OpenID Connect: an access token for its API instead of an ID token. The rules are
 * those of "Authorizing OAuth apps" at docs.github.com, as read in November 2026.
 */
export const github: ProviderRow = {
  // It delivers no email, and keeps an address that its owner lost.
  authorities: [],
  fields: { ...fieldsOfPublic, ...withoutApple },
  validateFields: () => [],
  others: { refuseIssuer: () => undefined, needsHostedDomain: false },
  isStandIn: () => true,
  requiredScopes: ['openid'],
  toScopes: (scopes) =>
    scopes.flatMap((scope) => (scope === 'openid' ? [] : [scopeNames.get(scope) ?? scope])),
  explainReturn: () => undefined,
  // It knows no prompt for a password.
  newSignIn: { prompt: 'select_account' },
  answer: { mode: 'query' },
  metadata: {
    from: 'row',
    build: ({ issuer }) => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/access_token`,
    }),
  },
  user: {
    from: 'api',
    fetchClaims: async (...request) => (await import('./github-account.ts')).fetchGithubAccount(...request),
  },
  nameAccount: (_, claims) => getClaim(claims, 'sub'),
  adaptFetch: async (send, _, metadata) =>
    (await import('./github-account.ts')).correctErrors(send, metadata),
  madeSecret: null,
  keepsRefreshToken: false,
  sendsAppleNotifications: false,
}
