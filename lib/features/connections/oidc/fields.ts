import { toBody } from '../../../kernel/contract/projection.ts'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { validateNameField } from '../../directory/names.ts'
import { getFetchRules } from '../address-rules.ts'
import {
  applyBody,
  connectionDefaults,
  maskedSecret,
  toFieldErrors,
  validateSettings,
} from '../connection-fields.ts'
import { normalizeDomain } from '../domains.records.ts'
import { getLoginUrl } from '../retry-path.ts'
import { readMetadataAddress } from '../web-address.ts'
import { getRedirectUri } from './identity-provider.ts'
import { OIDCConnection, type OIDCConnectionPartialUpdate } from './models.ts'
import type { OidcConnection, OidcSettings } from './records.ts'

/** What a new connection has if a request says nothing else. */
export const oidcDefaults = {
  ...connectionDefaults,
  token_endpoint_auth_method: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  hosted_domain: null,
} as const satisfies Partial<OidcSettings>

/** A connection with the fields of a body. What the body omits stays. The secret is encrypted separately. */
export const applyOidcBody = (
  connection: OidcConnection,
  { client_secret: _, ...body }: OIDCConnectionPartialUpdate,
): OidcConnection => {
  const next = applyBody(connection, body)
  const { hosted_domain: domain } = next
  return { ...next, hosted_domain: domain === null ? null : (normalizeDomain(domain) ?? domain) }
}

/** RFC 6749 3.3 */
const scope = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Returns all that is wrong with the fields of a connection. */
export const validateOidcConnection = async (
  config: Config,
  table: Table,
  connection: OidcConnection,
  before: OidcConnection | undefined,
): Promise<readonly FieldError[]> => {
  const { name, issuer, client_id, scopes, hosted_domain } = connection
  return [
    ...validateNameField(name),
    ...toFieldErrors('issuer', validateIssuer(config, issuer)),
    ...toFieldErrors('client_id', isVisibleText(client_id) ? undefined : 'must be visible ASCII characters'),
    ...toFieldErrors('scopes', validateScopes(scopes)),
    ...toFieldErrors('hosted_domain', validateHostedDomain(issuer, hosted_domain)),
    ...(await validateSettings(table, connection, before)),
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
export const toOidcBody = ({ publicUrl }: Config, connection: OidcConnection): OIDCConnection =>
  toBody<OIDCConnection>(OIDCConnection.shape, {
    ...connection,
    login_url: getLoginUrl({ publicUrl }, connection),
    redirect_uri: getRedirectUri(publicUrl, connection.id),
    backchannel_logout_uri: `${publicUrl}/api/2/auth/oidc-connections/${connection.id}/backchannel-logout`,
    client_secret: maskedSecret,
    public_jwk: connection.publicJwk,
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
