import { validateNameField } from '../../../accounts/names/names.ts'
import { toBodyFor } from '../../../kernel/contract/model.ts'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { getFetchRules } from '../address-rules.ts'
import { needsApproval } from '../approval.ts'
import { applyBody, maskedSecret, toFieldErrors, validateSettings } from '../connection-fields.ts'
import { normalizeDomain } from '../domains.records.ts'
import { getFirstSignIn } from '../public-connections.ts'
import { getDeclaredProvider } from '../public-providers.models.ts'
import { getLoginUrl } from '../retry-path.ts'
import { readMetadataAddress } from '../web-address.ts'
import { getRedirectUri } from './identity-provider.ts'
import { type OIDCConnection, type OIDCConnectionPartialUpdate, oidcFields } from './models.ts'
import { findSharedProvider, refuseIssuerOfOthers, validateProviderFields } from './provider-fields.ts'
import { getProviderRow } from './providers/rows.ts'
import type { OidcConnection } from './records.ts'

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
  const { name, client_id } = connection
  return [
    ...validateNameField(name),
    ...toFieldErrors('issuer', validateIssuer(config, connection)),
    ...toFieldErrors('client_id', isVisibleText(client_id) ? undefined : 'must be visible ASCII characters'),
    ...toFieldErrors('scopes', validateScopes(connection)),
    ...toFieldErrors('token_endpoint_auth_method', validateAuthMethod(connection)),
    ...toFieldErrors('hosted_domain', validateHostedDomain(connection)),
    ...validateProviderFields(config, connection, before),
    ...(await validateSettings(table, connection, before)),
  ]
}

const isVisibleText = (text: string): boolean => /^[\x20-\x7e]+$/.test(text) && text.trim() === text

const validateScopes = (connection: OidcConnection): string | undefined => {
  const { scopes } = connection
  if (!scopes.every((one) => scope.test(one))) return 'contains a text that is no scope'
  const missing = getProviderRow(connection).requiredScopes.find((one) => !scopes.includes(one))
  return missing === undefined ? undefined : `must contain ${missing}`
}

const validateAuthMethod = (connection: OidcConnection): string | undefined => {
  const { name, authMethods } = getDeclaredProvider(connection)
  return authMethods.includes(connection.token_endpoint_auth_method)
    ? undefined
    : `must be ${authMethods.join(' or ')}, because ${name} has no other way`
}

const validateHostedDomain = (connection: OidcConnection): string | undefined => {
  const { hosted_domain: domain } = connection
  if (domain === null) {
    const shared = findSharedProvider(connection)
    return shared && `is required for ${shared}, because everyone can have an account there`
  }
  return normalizeDomain(domain) === domain ? undefined : 'must be a domain such as example.com'
}

/** The body of a connection for administrators. */
export const toOidcBody = ({ publicUrl }: Config, connection: OidcConnection): OIDCConnection =>
  toBodyFor(['service'], oidcFields, {
    ...connection,
    login_url: getLoginUrl({ publicUrl }, connection),
    redirect_uri: getRedirectUri(publicUrl, connection.id),
    backchannel_logout_uri: `${publicUrl}/api/2/auth/oidc-connections/${connection.id}/backchannel-logout`,
    apple_notifications_uri: getProviderRow(connection).sendsAppleNotifications
      ? `${publicUrl}/api/2/auth/oidc-connections/${connection.id}/apple-notifications`
      : null,
    client_secret: maskedSecret,
    first_sign_in: getFirstSignIn(connection),
    public_jwk: connection.publicJwk,
    domains: connection.domains.map(({ name }) => name),
    awaits_approval: needsApproval(connection),
  })

/** Returns what is wrong with an issuer, or undefined if it is valid. */
const validateIssuer = (config: Config, connection: OidcConnection): string | undefined => {
  const { issuer } = connection
  const address = readMetadataAddress(issuer, getFetchRules(config))
  if (typeof address === 'string') return address
  const { search } = address.url
  if (search !== '' || issuer.includes('#')) return 'must not have a query or a fragment'
  if (issuer.includes('/.well-known/')) return 'must be the issuer, without /.well-known/…'
  return refuseIssuerOfOthers(connection, address.url)
}
