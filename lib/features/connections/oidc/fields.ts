import { toBody } from '../../../kernel/contract/projection.ts'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { validateNameField } from '../../directory/names.ts'
import { getFetchRules } from '../address-rules.ts'
import { needsApproval } from '../approval.ts'
import {
  applyBody,
  connectionDefaults,
  maskedSecret,
  toFieldErrors,
  validateSettings,
} from '../connection-fields.ts'
import { normalizeDomain } from '../domains.records.ts'
import { getFirstSignIn, isPublic } from '../public-connections.ts'
import { getLoginUrl } from '../retry-path.ts'
import { readMetadataAddress } from '../web-address.ts'
import { isApple } from './apple.ts'
import { isGithub } from './github.ts'
import { getRedirectUri } from './identity-provider.ts'
import { isMicrosoft } from './microsoft.ts'
import { OIDCConnection, type OIDCConnectionPartialUpdate } from './models.ts'
import { googleIssuer, validatePublicConnection } from './public-fields.ts'
import type { OidcConnection } from './records.ts'

/** What a new connection has if a request says nothing else. */
export const oidcDefaults = {
  ...connectionDefaults,
  token_endpoint_auth_method: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  hosted_domain: null,
  public_provider: null,
  first_sign_in: null,
  apple_team_id: null,
  apple_key_id: null,
  apple_app_id: null,
} as const satisfies Partial<OidcConnection>

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
  const { name, issuer, client_id, hosted_domain } = connection
  const google = isPublic(connection) ? undefined : googleIssuer
  return [
    ...validateNameField(name),
    ...toFieldErrors('issuer', validateIssuer(config, connection)),
    ...toFieldErrors('client_id', isVisibleText(client_id) ? undefined : 'must be visible ASCII characters'),
    ...toFieldErrors('scopes', validateScopes(connection)),
    ...toFieldErrors('token_endpoint_auth_method', validateAuthMethod(connection)),
    ...toFieldErrors('hosted_domain', validateHostedDomain(issuer === google, hosted_domain)),
    ...validatePublicConnection(config, connection, before),
    ...(await validateSettings(table, connection, before)),
  ]
}

const isVisibleText = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && text.trim() === text

const validateScopes = (connection: OidcConnection): string | undefined => {
  const { scopes } = connection
  if (!scopes.every((one) => scope.test(one))) return 'contains a text that is no scope'
  if (!scopes.includes('openid')) return 'must contain openid'
  // Without it, Microsoft sends neither `tid` nor `oid`.
  return isMicrosoft(connection) && !scopes.includes('profile') ? 'must contain profile' : undefined
}

const validateAuthMethod = (connection: OidcConnection): string | undefined => {
  if (connection.token_endpoint_auth_method === 'client_secret_post') return undefined
  if (isGithub(connection)) return 'must be client_secret_post, because GitHub has no other way'
  return isApple(connection) ? 'must be client_secret_post, because Apple has no other way' : undefined
}

const validateHostedDomain = (isGoogle: boolean, domain: string | null): string | undefined => {
  if (domain === null)
    return isGoogle ? 'is required for Google, because everyone can have an account there' : undefined
  return normalizeDomain(domain) === domain ? undefined : 'must be a domain such as example.com'
}

/** The body of a connection for administrators. */
export const toOidcBody = ({ publicUrl }: Config, connection: OidcConnection): OIDCConnection =>
  toBody<OIDCConnection>(OIDCConnection.shape, {
    ...connection,
    login_url: getLoginUrl({ publicUrl }, connection),
    redirect_uri: getRedirectUri(publicUrl, connection.id),
    backchannel_logout_uri: `${publicUrl}/api/2/auth/oidc-connections/${connection.id}/backchannel-logout`,
    apple_notifications_uri: isApple(connection)
      ? `${publicUrl}/api/2/auth/oidc-connections/${connection.id}/apple-notifications`
      : null,
    client_secret: maskedSecret,
    // Connections of before have none of these.
    public_provider: connection.public_provider ?? null,
    apple_team_id: connection.apple_team_id ?? null,
    apple_key_id: connection.apple_key_id ?? null,
    apple_app_id: connection.apple_app_id ?? null,
    first_sign_in: getFirstSignIn(connection),
    public_jwk: connection.publicJwk,
    domains: connection.domains.map(({ name }) => name),
    awaits_approval: needsApproval(connection),
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

/**
 * Returns what is wrong with an issuer, or undefined if it is valid. The issuer of all tenants of Entra ID is refused:
 * an administrator of any tenant could then assert any address. At the public provider, no address leads to an account.
 */
const validateIssuer = (config: Config, connection: OidcConnection): string | undefined => {
  const { issuer } = connection
  const address = readMetadataAddress(issuer, getFetchRules(config))
  if (typeof address === 'string') return address
  const { hostname, pathname, search } = address.url
  if (search !== '' || issuer.includes('#')) return 'must not have a query or a fragment'
  if (issuer.includes('/.well-known/')) return 'must be the issuer, without /.well-known/…'
  // Its issuers are listed with it.
  if (isMicrosoft(connection)) return undefined
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
