import { getClaim } from '../get-claim.ts'
import { fieldsOfPublic, withoutApple } from './field-rules.ts'
import type { ProviderRow } from './provider-row.ts'

/*
 * Providers without rules of their own, which follow OpenID Connect Core 1.0: the identity provider of a company, and any provider of OpenID
 * Connect at which everybody can have an account. Neither vouches for an address. That of a company counts in its proven domains.
 */

const generic: Omit<ProviderRow, 'fields'> = {
  authorities: [],
  validateFields: () => [],
  others: { refuseIssuer: () => undefined, needsHostedDomain: false },
  isStandIn: () => false,
  requiredScopes: ['openid'],
  toScopes: (scopes) => scopes,
  explainReturn: () => undefined,
  newSignIn: { prompt: 'login', max_age: '0' },
  answer: { mode: 'query' },
  metadata: { from: 'discovery' },
  user: { from: 'id_token', userinfo: 'without_address' },
  nameAccount: (_, claims) => getClaim(claims, 'sub'),
  adaptFetch: null,
  madeSecret: null,
  keepsRefreshToken: false,
  sendsAppleNotifications: false,
}

/** Any provider of OpenID Connect for everybody that has no row of its own. */
export const anyProvider: ProviderRow = { ...generic, fields: { ...fieldsOfPublic, ...withoutApple } }

/** The identity provider of a company. */
export const company: ProviderRow = {
  ...generic,
  fields: {
    ...withoutApple,
    disabled_in_client: 'settable',
    token_endpoint_auth_method: 'settable',
    scopes: 'settable',
    public_provider: { refusal: 'must be null for a company' },
    first_sign_in: { refusal: 'must be null for a company' },
    user_template: 'settable',
    hosted_domain: 'settable',
    auto_create_users: 'settable',
    auto_create_groups: 'settable',
    auto_sync_groups: 'settable',
    allowed_groups: 'settable',
    attribute_mapping: 'settable',
    required_authn_contexts: 'settable',
    multi_factor_authn_contexts: 'settable',
    required_for_domains: 'settable',
    exempt_users: 'settable',
    organization_id: 'settable',
    default_organization_roles: 'settable',
  },
}
