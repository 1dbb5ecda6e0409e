import { normalizeDomain } from '../domains.records.ts'
import type { OfProvider } from '../public-providers.models.ts'
import { getMailDomain } from '../usable-domains.ts'
import { type Claims, getClaim } from './get-claim.ts'
import type { Authority } from './providers/authority.ts'
import { getProviderRow, providerRows } from './providers/rows.ts'

const delivered: ReadonlySet<string> = new Set(
  providerRows
    .flatMap(({ authorities }) => authorities)
    .flatMap(({ domains }) => (domains instanceof Set ? [...domains] : [])),
)

/** Whether a public provider is the authority for the address of a person, so that no one else can have it. */
export const isAddressProven = (connection: OfProvider, claims: Claims): boolean => {
  const email = getClaim(claims, 'email')
  const domain = typeof email === 'string' ? getMailDomain(email) : undefined
  if (domain === undefined) return false
  return getProviderRow(connection).authorities.some(
    (authority) => authority.rules.every((isMet) => isMet(claims)) && isDomainOf(authority, claims, domain),
  )
}

const isDomainOf = ({ domains }: Authority, claims: Claims, domain: string): boolean => {
  if (domains === 'undelivered') return !delivered.has(domain)
  if (domains instanceof Set) return domains.has(domain)
  if (!('claim' in domains)) return false
  const named = getClaim(claims, domains.claim)
  return typeof named === 'string' && normalizeDomain(named) === domain
}
