import { getClaim } from '../get-claim.ts'
import { isOneOf } from './authority.ts'
import { fieldsOfPublic, withoutApple } from './field-rules.ts'
import type { ProviderRow } from './provider-row.ts'

const isVerified = isOneOf('email_verified', true)

/** Accounts of Google for everybody. */
export const google: ProviderRow = {
  authorities: [
    // Google delivers it, as "Verify the Google ID token on your server side" says.
    { rules: [isVerified], domains: new Set(['gmail.com']) },
    // The customer of Google Workspace whose account it is.
    { rules: [isVerified], domains: { claim: 'hd' } },
  ],
  fields: { ...fieldsOfPublic, ...withoutApple },
  validateFields: () => [],
  others: { refuseIssuer: () => undefined, needsHostedDomain: true },
  isStandIn: () => true,
  requiredScopes: ['openid'],
  toScopes: (scopes) => scopes,
  explainReturn: () => undefined,
  // It knows no prompt for a password: https://developers.google.com/identity/openid-connect/openid-connect, as read in November 2026.
  newSignIn: { prompt: 'select_account' },
  answer: { mode: 'query' },
  metadata: { from: 'discovery' },
  user: { from: 'id_token', userinfo: 'without_address' },
  nameAccount: (_, claims) => getClaim(claims, 'sub'),
  adaptFetch: null,
  madeSecret: null,
  keepsRefreshToken: false,
  sendsAppleNotifications: false,
}
