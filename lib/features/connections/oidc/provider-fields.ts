import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { getFetchRules } from '../address-rules.ts'
import { connectionDefaults, toFieldErrors } from '../connection-fields.ts'
import {
  declaredProviders,
  getDeclaredProvider,
  nameProvider,
  publicProviders,
} from '../public-providers.models.ts'
import type { OptionalField } from './providers/provider-row.ts'
import { getProviderRow, providerRows } from './providers/rows.ts'
import type { OidcConnection } from './records.ts'

/* What a connection can say at its provider, as the row of the provider decides it. */

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
} as const satisfies Pick<OidcConnection, OptionalField>

const optionalFields = Object.keys(oidcDefaults) as readonly (keyof typeof oidcDefaults)[]

/** Returns all that is wrong with what a connection says at its provider. */
export const validateProviderFields = (
  config: Config,
  connection: OidcConnection,
  before: OidcConnection | undefined,
): readonly FieldError[] => {
  if (before && nameProvider(before) !== nameProvider(connection))
    return [{ field: 'public_provider', message: 'cannot be changed. Create another connection' }]
  const { fields, validateFields } = getProviderRow(connection)
  return [
    ...validateFields(connection),
    ...toFieldErrors('issuer', validateIssuer(config, connection, before?.issuer)),
    ...optionalFields.flatMap((field) => {
      const rule = fields[field]
      return rule === 'settable' || isDeepStrictEqual(connection[field], oidcDefaults[field])
        ? []
        : [{ field, message: rule.refusal }]
    }),
  ]
}

/** Another issuer would name other people. Where the service may fetch from loopback addresses, a stand-in can play the provider. */
const validateIssuer = (
  config: Config,
  connection: OidcConnection,
  before: string | undefined,
): string | undefined => {
  const { issuer } = connection
  const { issuers: expected } = getDeclaredProvider(connection)
  if (expected === 'any') return undefined
  if (before !== undefined && before !== issuer) return 'of a public provider cannot be changed'
  if (expected === 'unlisted')
    return listPublicIssuers().includes(issuer) ? 'has a `public_provider` of its own' : undefined
  const isStandIn =
    getFetchRules(config).allowsLoopback &&
    issuer.startsWith('http://127.0.0.1:') &&
    getProviderRow(connection).isStandIn(issuer)
  return expected.includes(issuer) || isStandIn ? undefined : `must be ${expected.join(' or ')}`
}

const listPublicIssuers = (): readonly string[] => publicProviders.flatMap(listIssuers)

const listIssuers = (name: (typeof publicProviders)[number]): readonly string[] => {
  const { issuers } = declaredProviders[name]
  return typeof issuers === 'string' ? [] : issuers
}

/** Why a connection cannot have an issuer, as the rows of other providers say. */
export const refuseIssuerOfOthers = (connection: OidcConnection, issuer: URL): string | undefined => {
  const own = getProviderRow(connection)
  const refusals = providerRows.flatMap((row) => (row === own ? [] : (row.others.refuseIssuer(issuer) ?? [])))
  const shared = findProviderOfEverybody(connection)
  if (shared && !shared.needsHostedDomain)
    refusals.push(`is that of ${shared.name}, where everyone can have an account: see \`public_provider\``)
  return refusals[0]
}

/** The provider whose issuer a company has, if everybody can have an account at the same issuer, and the company must name its domain there. */
export const findSharedProvider = (connection: OidcConnection): string | undefined => {
  const shared = findProviderOfEverybody(connection)
  return shared?.needsHostedDomain ? shared.name : undefined
}

/** The public provider that has the issuer of a company. */
const findProviderOfEverybody = (connection: OidcConnection) => {
  if (getDeclaredProvider(connection).issuers !== 'any') return undefined
  const found = publicProviders.find((name) => listIssuers(name).includes(connection.issuer))
  if (found === undefined) return undefined
  const { needsHostedDomain } = getProviderRow({ public_provider: found }).others
  return { name: declaredProviders[found].name ?? found, needsHostedDomain }
}
