import type { OIDCConnection, OIDCConnectionPartialUpdate } from '../../../lib/client/generated/models.ts'
import {
  emptyRules,
  splitRules,
  toLines,
  toRulesValues,
  type UserValues,
} from '../saml-providers/provider-values.ts'

/** A connection as its form has it: empty texts stand for null, and lists are one text. */
export interface ConnectionValues extends UserValues {
  readonly name: string
  readonly issuer: string
  readonly client_id: string
  /** Empty keeps the stored secret. */
  readonly client_secret: string
  readonly token_endpoint_auth_method: OIDCConnection['token_endpoint_auth_method']
  /** Separated by spaces. */
  readonly scopes: string
  readonly hosted_domain: string
}

export const emptyConnection: ConnectionValues = {
  ...emptyRules,
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  token_endpoint_auth_method: 'client_secret_basic',
  scopes: 'openid email profile',
  hosted_domain: '',
  auto_create_users: false,
  user_template: '',
  auto_sync_groups: false,
  auto_create_groups: false,
  allowed_groups: '',
  // Like a new SAML provider.
  disabled_in_client: true,
}

export const toConnectionValues = (connection: OIDCConnection): ConnectionValues => ({
  name: connection.name,
  issuer: connection.issuer,
  client_id: connection.client_id,
  client_secret: '',
  token_endpoint_auth_method: connection.token_endpoint_auth_method,
  scopes: connection.scopes.join(' '),
  hosted_domain: connection.hosted_domain ?? '',
  ...toRulesValues(connection),
  auto_create_users: connection.auto_create_users,
  user_template: String(connection.user_template ?? ''),
  auto_sync_groups: connection.auto_sync_groups,
  auto_create_groups: connection.auto_create_groups,
  allowed_groups: (connection.allowed_groups ?? []).join('\n'),
  disabled_in_client: connection.disabled_in_client,
})

/** The request body of these changes. */
export const toConnectionChanges = (changes: Partial<ConnectionValues>): OIDCConnectionPartialUpdate => {
  const { rules, others } = splitRules(changes)
  const {
    scopes,
    hosted_domain: hostedDomain,
    client_secret: secret,
    user_template: template,
    allowed_groups: allowedGroups,
    ...same
  } = others
  return {
    ...rules,
    ...same,
    ...(secret ? { client_secret: secret } : {}),
    ...(scopes === undefined ? {} : { scopes: scopes.split(/\s+/).filter(Boolean) }),
    ...(hostedDomain === undefined ? {} : { hosted_domain: hostedDomain.trim() || null }),
    ...(template === undefined ? {} : { user_template: template ? Number(template) : null }),
    ...(allowedGroups === undefined ? {} : { allowed_groups: toLines(allowedGroups) }),
  }
}

/** What the form fills in for a known identity provider. What a person replaces is in capitals. */
export const presets = {
  entra: { issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0' },
  google: { issuer: 'https://accounts.google.com' },
  okta: { issuer: 'https://COMPANY.okta.com' },
  other: { issuer: '' },
} as const

export type Preset = keyof typeof presets
