import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { Table } from '../../kernel/table/table.ts'
import { normalizeUsername, validateNameField } from '../directory/names.ts'
import { readConnectionRules, toRulesBody, validateConnectionRules } from './connection-rules.ts'
import { normalizeDomain } from './domains.records.ts'
import { validateAllowedGroups } from './groups.ts'
import type { OIDCConnection, OIDCConnectionCreate, OIDCConnectionPartialUpdate } from './oidc/models.ts'
import type { OidcConnectionFields, OidcConnectionRecord } from './oidc/records.ts'
import { getRedirectUri } from './oidc/upstream.ts'
import { maskedKey } from './provider-body.ts'
import { getFetchRules, toFieldErrors, validateTemplateId } from './provider-validation.ts'
import { getLoginUrl } from './retry-path.ts'
import type { ConnectionRules } from './rules.records.ts'
import { readMetadataAddress } from './saml/web-address.ts'

/** The fields of a connection that a body sets directly. The secret is encrypted separately. */
export type PlainConnectionFields = Omit<OidcConnectionFields, 'clientSecret' | 'publicJwk'>

const defaults = {
  disabledInClient: false,
  authMethod: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  hostedDomain: null,
  autoCreateUsers: false,
  autoCreateGroups: false,
  autoSyncGroups: false,
  allowedGroups: null,
  userTemplate: null,
} as const

type Known = Pick<OidcConnectionRecord, 'name' | 'issuer' | 'clientId' | keyof typeof defaults> &
  ConnectionRules

/** The stored fields of a new connection. Omitted fields get their defaults. */
export const readConnectionFields = (body: OIDCConnectionCreate): PlainConnectionFields =>
  patchConnectionFields({ ...defaults, name: body.name, issuer: body.issuer, clientId: body.client_id }, body)

/** The stored fields of a connection from a partial body. Omitted fields keep their values. */
export const patchConnectionFields = (
  before: Known,
  body: OIDCConnectionPartialUpdate,
): PlainConnectionFields => {
  const name = body.name ?? before.name
  const hostedDomain = body.hosted_domain === undefined ? before.hostedDomain : body.hosted_domain
  return {
    name,
    normalizedName: normalizeUsername(name),
    disabledInClient: body.disabled_in_client ?? before.disabledInClient,
    issuer: body.issuer ?? before.issuer,
    clientId: body.client_id ?? before.clientId,
    authMethod: body.token_endpoint_auth_method ?? before.authMethod,
    scopes: body.scopes ?? before.scopes,
    hostedDomain: hostedDomain === null ? null : (normalizeDomain(hostedDomain) ?? hostedDomain),
    autoCreateUsers: body.auto_create_users ?? before.autoCreateUsers,
    autoCreateGroups: body.auto_create_groups ?? before.autoCreateGroups,
    autoSyncGroups: body.auto_sync_groups ?? before.autoSyncGroups,
    allowedGroups: body.allowed_groups === undefined ? before.allowedGroups : body.allowed_groups,
    userTemplate: body.user_template === undefined ? before.userTemplate : body.user_template,
    ...readConnectionRules(body, before),
  }
}

/** RFC 6749 3.3 */
const scope = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Returns all that is wrong with the fields of a connection. */
export const validateConnection = async (
  config: Config,
  table: Table,
  fields: PlainConnectionFields,
  before: OidcConnectionRecord | undefined,
): Promise<readonly FieldError[]> => {
  const { name, issuer, clientId, scopes, hostedDomain, allowedGroups } = fields
  return [
    ...validateNameField(name),
    ...toFieldErrors('issuer', validateIssuer(config, issuer)),
    ...toFieldErrors('client_id', isVisibleText(clientId) ? undefined : 'must be visible ASCII characters'),
    ...toFieldErrors('scopes', validateScopes(scopes)),
    ...toFieldErrors('hosted_domain', validateHostedDomain(issuer, hostedDomain)),
    ...(allowedGroups ? toFieldErrors('allowed_groups', validateAllowedGroups(allowedGroups)) : []),
    ...(await validateConnectionRules(table, fields, before)),
    ...(await validateTemplateId(table, fields.userTemplate, before?.userTemplate ?? null)),
  ]
}

const isVisibleText = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && text.trim() === text

const validateScopes = (scopes: readonly string[]): string | undefined => {
  if (!scopes.every((one) => scope.test(one))) return 'contains a text that is no scope'
  return scopes.includes('openid') ? undefined : 'must contain openid'
}

const validateHostedDomain = (issuer: string, domain: string | null): string | undefined => {
  if (domain === null)
    return issuer === googleIssuer
      ? 'is required for Google, because everyone can have an account there'
      : undefined
  return normalizeDomain(domain) === domain ? undefined : 'must be a domain such as example.com'
}

/** The body of a connection for administrators. */
export const toConnectionBody = (
  { publicUrl }: Config,
  connection: OidcConnectionRecord,
): OIDCConnection => ({
  id: connection.id,
  name: connection.name,
  disabled_in_client: connection.disabledInClient,
  login_url: getLoginUrl({ publicUrl }, connection),
  redirect_uri: getRedirectUri(publicUrl, connection.id),
  backchannel_logout_uri: `${publicUrl}/api/2/auth/oidc-connections/${connection.id}/backchannel-logout`,
  issuer: connection.issuer,
  client_id: connection.clientId,
  client_secret: maskedKey,
  token_endpoint_auth_method: connection.authMethod,
  public_jwk: connection.publicJwk ?? null,
  scopes: [...connection.scopes],
  hosted_domain: connection.hostedDomain,
  auto_create_users: connection.autoCreateUsers,
  auto_create_groups: connection.autoCreateGroups,
  auto_sync_groups: connection.autoSyncGroups,
  ...toRulesBody(connection),
  allowed_groups: connection.allowedGroups && [...connection.allowedGroups],
  user_template: connection.userTemplate,
  domains: connection.domains.map(({ name }) => name),
})

/** Hosts of Entra ID. Its issuers name a tenant. */
const entraHosts = [
  'login.microsoftonline.com',
  'login.microsoft.com',
  'login.windows.net',
  'sts.windows.net',
]
/** What stands for several tenants. The last one is the tenant of all personal accounts. */
const sharedTenants = [
  'common',
  'organizations',
  'consumers',
  '{tenantid}',
  '9188040d-6c67-4c5b-b112-36a304b66dad',
]

const googleIssuer = 'https://accounts.google.com'

/**
 * Returns what is wrong with an issuer, or undefined if it is valid. The issuer of all tenants of Entra ID is refused:
 * an administrator of any tenant could then assert any address.
 */
const validateIssuer = (config: Config, issuer: string): string | undefined => {
  const address = readMetadataAddress(issuer, getFetchRules(config))
  if (typeof address === 'string') return address
  const { hostname, pathname, search } = address.url
  if (search !== '' || issuer.includes('#')) return 'must not have a query or a fragment'
  if (issuer.includes('/.well-known/')) return 'must be the issuer, without /.well-known/…'
  const tenant = decodeTenant(pathname.split('/')[1] ?? '')
  if (entraHosts.includes(hostname) && (tenant === '' || sharedTenants.includes(tenant)))
    return 'must name one tenant of Entra ID by its ID, because everyone can have an account in the others'
  return undefined
}

const decodeTenant = (text: string): string => {
  try {
    return decodeURIComponent(text).toLowerCase()
  } catch {
    return ''
  }
}
