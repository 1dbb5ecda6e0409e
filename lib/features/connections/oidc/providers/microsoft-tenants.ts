import { declaredProviders } from '../../public-providers.models.ts'
import { type Claims, getClaim } from '../get-claim.ts'
import type { OidcConnection } from '../records.ts'

/*
 * Accounts of Microsoft for everybody. One discovery document speaks for all tenants, so its issuer is a template, and each ID token names
 * its own tenant in `tid`. The rules are those of "Validate the issuer" at learn.microsoft.com/entra/identity-platform/access-tokens, as
 * read in November 2026.
 */

export const microsoftOrigin = declaredProviders.microsoft.accounts.origin

/** Whose accounts may sign in: all, those of work and school, or personal ones. */
const audiences = ['common', 'organizations', 'consumers'] as const
type Audience = (typeof audiences)[number]

/** The addresses of the discovery documents at another origin, each without `/.well-known/…`. */
export const listMicrosoftIssuers = (origin: string): readonly string[] =>
  declaredProviders.microsoft.issuers.map((issuer) => issuer.replace(microsoftOrigin, origin))

/** The tenant of all personal accounts. */
export const consumerTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isGuid = (value: unknown): value is string => typeof value === 'string' && guid.test(value)

type Provider = Pick<OidcConnection, 'issuer'>

/** The issuer of a tenant, or the template of all. */
const buildIssuer = ({ issuer }: Provider, tenant: string): string =>
  `${new URL(issuer).origin}/${tenant}/v2.0`

const template = '{tenantid}'

/** The document about personal accounts alone names their tenant, and the others have the template. */
export const isMicrosoftDiscovery = (connection: Provider, issuer: string): boolean =>
  issuer === buildIssuer(connection, template) ||
  (readAudience(connection) === 'consumers' && issuer === buildIssuer(connection, consumerTenant))

const readAudience = ({ issuer }: Provider): Audience | undefined => {
  const name = new URL(issuer).pathname.split('/')[1]
  return audiences.find((audience) => audience === name)
}

/** Whether an issuer is that of a tenant whose accounts may sign in. */
export const isMicrosoftIssuer = (connection: Provider, issuer: unknown): boolean => {
  const tenant = typeof issuer === 'string' ? issuer.split('/')[3] : undefined
  return isTenantAllowed(connection, tenant) && issuer === buildIssuer(connection, tenant)
}

const isTenantAllowed = (connection: Provider, tenant: unknown): tenant is string => {
  const audience = readAudience(connection)
  if (!isGuid(tenant) || audience === undefined) return false
  return audience === 'common' || (tenant === consumerTenant) === (audience === 'consumers')
}

/**
 * Names the account of an ID token: the tenant and the ID of the object there. `sub` differs between the apps of one person, and an
 * address can move to somebody else. Undefined if the token names no account, or one of another tenant than its issuer.
 */
export const nameMicrosoftAccount = (connection: Provider, claims: Claims): string | undefined => {
  const [tid, oid] = [getClaim(claims, 'tid'), getClaim(claims, 'oid')]
  if (!isTenantAllowed(connection, tid) || !isGuid(oid)) return undefined
  return getClaim(claims, 'iss') === buildIssuer(connection, tid) ? `${tid}/${oid}` : undefined
}

/** Whether a key may sign for an issuer. Some are for one tenant alone. */
export const isKeyForIssuer = (connection: Provider, key: unknown, issuer: unknown): boolean => {
  if (typeof key !== 'object' || key === null || !Object.hasOwn(key, 'issuer')) return true
  const { issuer: stated }: { readonly issuer?: unknown } = key
  return stated === issuer || stated === buildIssuer(connection, template)
}

/** Hosts of Entra ID. Its issuers name a tenant. */
const entraHosts = [
  'login.microsoftonline.com',
  'login.microsoft.com',
  'login.windows.net',
  'sts.windows.net',
]

/** What names several tenants, or the tenant of all personal accounts. */
const sharedTenants: readonly string[] = ['', ...audiences, template, consumerTenant]

/** Whether an issuer is for all accounts of several tenants, or for all personal accounts. */
export const isSharedTenant = ({ hostname, pathname }: URL): boolean =>
  entraHosts.includes(hostname) && sharedTenants.includes(decodeTenant(pathname.split('/')[1] ?? ''))

const decodeTenant = (text: string): string => {
  try {
    return decodeURIComponent(text).toLowerCase()
  } catch {
    return ''
  }
}
