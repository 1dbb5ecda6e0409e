import { normalizeDomain } from '../domains.records.ts'
import type { PublicProvider } from '../public-providers.models.ts'
import { getMailDomain } from '../usable-domains.ts'
import { type Claims, getClaim } from './get-claim.ts'
import { consumerTenant } from './microsoft.ts'
import type { OidcConnection } from './records.ts'

/*
 * Which public provider is the authority for which addresses. A provider knows of most addresses only that somebody could read their
 * email once: a former employee still has an account there with the address of the company. So its word counts only for domains
 * whose email it delivers itself, or whose owner it knows. Whatever has no row waits for a confirmation by a link.
 */

type ClaimRule = (claims: Claims) => boolean

const isOneOf =
  (name: string, ...values: readonly unknown[]): ClaimRule =>
  (claims) =>
    values.includes(getClaim(claims, name))

const isAnotherThan =
  (name: string, value: string): ClaimRule =>
  (claims) => {
    const stated = getClaim(claims, name)
    return typeof stated === 'string' && stated !== value
  }

const isAbsentOrSame =
  (name: string, other: string): ClaimRule =>
  (claims) => {
    const stated = getClaim(claims, name)
    return stated === undefined || stated === getClaim(claims, other)
  }

interface Authority {
  readonly provider: PublicProvider
  /** What the claims must say, all of it. */
  readonly rules: readonly ClaimRule[]
  /** The domains whose email the provider delivers, the claim that names one, or those that no provider delivers. */
  readonly domains: ReadonlySet<string> | { readonly claim: string } | 'undelivered'
}

/** Google delivers it, as "Verify the Google ID token on your server side" says. */
const googleMail = new Set(['gmail.com'])

/** The addresses of iCloud Mail, and those that hide an address. */
const appleMail = new Set(['icloud.com', 'me.com', 'mac.com', 'privaterelay.appleid.com'])

const withCountries = (name: string, endings: string): readonly string[] =>
  endings.split(' ').map((ending) => `${name}.${ending}`)

/**
 * The domains of Outlook.com. There may be more: those that the configurations of Thunderbird do not list as well are left out, because
 * others could own them.
 */
const microsoftMail = new Set([
  ...withCountries('outlook', 'com at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk'),
  ...withCountries('outlook', 'co.id co.il co.th com.ar com.au com.br com.gr com.tr com.vn'),
  ...withCountries('hotmail', 'com be ca de dk es fr it nl no se co.jp co.uk com.ar com.au com.br com.tr'),
  ...withCountries('live', 'com at be ca de dk fr ie it jp nl no se co.jp co.uk com.ar com.au com.mx com.pt'),
  'msn.com',
  'windowslive.com',
])

/** Whether the owner of the domain was verified. Optional claims can be a number or a text. */
const isOwnerVerified = isOneOf('xms_edov', true, 1, '1', 'true')

const authorities: readonly Authority[] = [
  { provider: 'google', rules: [isOneOf('email_verified', true)], domains: googleMail },
  // The customer of Google Workspace whose account it is.
  { provider: 'google', rules: [isOneOf('email_verified', true)], domains: { claim: 'hd' } },
  { provider: 'apple', rules: [isOneOf('email_verified', true, 'true')], domains: appleMail },
  {
    provider: 'microsoft',
    rules: [isOneOf('tid', consumerTenant), isOwnerVerified],
    domains: microsoftMail,
  },
  // `xms_edov` is also true for guests, whose address belongs to another directory, or is that of a personal account.
  {
    provider: 'microsoft',
    rules: [
      isAnotherThan('tid', consumerTenant),
      isOwnerVerified,
      isOneOf('acct', 0, '0'),
      isAbsentOrSame('idp', 'iss'),
    ],
    domains: 'undelivered',
  },
]

const delivered: ReadonlySet<string> = new Set([...googleMail, ...appleMail, ...microsoftMail])

/** Whether a public provider is the authority for the address of a person, so that no one else can have it. */
export const isAddressProven = (
  { public_provider: provider }: Pick<OidcConnection, 'public_provider'>,
  claims: Claims,
): boolean => {
  const email = getClaim(claims, 'email')
  const domain = typeof email === 'string' ? getMailDomain(email) : undefined
  if (domain === undefined) return false
  return authorities.some(
    (authority) =>
      authority.provider === provider &&
      authority.rules.every((isMet) => isMet(claims)) &&
      isDomainOf(authority, claims, domain),
  )
}

const isDomainOf = ({ domains }: Authority, claims: Claims, domain: string): boolean => {
  if (domains === 'undelivered') return !delivered.has(domain)
  if (domains instanceof Set) return domains.has(domain)
  if (!('claim' in domains)) return false
  const named = getClaim(claims, domains.claim)
  return typeof named === 'string' && normalizeDomain(named) === domain
}
