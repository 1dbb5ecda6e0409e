import type { Attribute, ProvenIdentity } from '../proven-identity.records.ts'
import { isPublic } from '../public-connections.ts'
import { nameAccounts } from '../public-providers.models.ts'
import { isAddressProven } from './address-authority.ts'
import { type Claims, getClaim } from './get-claim.ts'
import type { OidcConnection } from './records.ts'

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
export const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub)

const groupsRead = 500

/**
 * Reads the user of a sign-in from claims, in the form that the rules of company connections use. The name of the account
 * is the subject together with its issuer. So the same subject at another issuer is another account. Public providers can have other
 * names for accounts, which come as `sub`.
 *
 * An address with `email_verified: false` is left out. Any other one counts as verified only if its domain is proven for the
 * connection, like an address in SAML. `email_verified: true` adds nothing: an administrator of the company decides it.
 */
export const readIdentity = (
  connection: Pick<OidcConnection, 'public_provider' | 'issuer' | 'apple_team_id' | 'attribute_mapping'>,
  claims: Claims,
  {
    sub,
    authenticatedAt,
    receivedAt,
  }: { readonly sub: string; readonly authenticatedAt: number; readonly receivedAt: number },
): ProvenIdentity => {
  const { attribute_mapping: mapped } = connection
  const text = (name: string) => toTexts(getClaim(claims, name)).slice(0, 1)
  // Nothing but a code confirms the address at a public provider, unless that is its authority.
  const isIgnored = !isPublic(connection) && isRefused(getClaim(claims, 'email_verified'))
  const email = isIgnored ? [] : text(mapped.email_from ?? 'email')
  const username = text(mapped.username_from ?? 'preferred_username')
  const groups = getClaim(claims, mapped.groups_from ?? 'groups')
  return {
    id: sub,
    issuedAt: readIssueTime(claims, receivedAt),
    authenticatedAt,
    // Nobody here decides how people sign in at a public provider.
    authnContexts: isPublic(connection)
      ? []
      : [...readAuthnClass(claims), ...toTexts(getClaim(claims, 'amr'))],
    usableUntil: receivedAt,
    subject: {
      nameId: sub,
      nameIdFormat: null,
      nameQualifier: null,
      spNameQualifier: null,
      sessionIndex: readSession(claims),
      endsBySession: true,
    },
    identifier: { attribute: nameAccounts(connection), value: sub },
    ...(isAddressProven(connection, claims) && { isAddressProven: true as const }),
    sessionEndsAt: null,
    attributes: [
      toAttribute('email', email),
      // A subject is no name for people.
      toAttribute('username', username.length > 0 ? username : email),
      toAttribute('displayname', text(mapped.full_name_from ?? 'name')),
      ...(mapped.full_name_from === null
        ? [toAttribute('givenname', text('given_name')), toAttribute('surname', text('family_name'))]
        : []),
      ...(groups === undefined ? [] : [toAttribute('groups', toTexts(groups).slice(0, groupsRead))]),
    ],
  }
}

/** The way of signing in that an ID token states (`acr`). `amr` only lists methods, so it meets no requirement. */
export const readAuthnClass = (claims: Claims): readonly string[] =>
  toTexts(getClaim(claims, 'acr')).slice(0, 1)

/** The session at the identity provider, which can end it (OpenID Connect Back-Channel Logout 2.1). */
const readSession = (claims: Claims): string | null => {
  const sid = getClaim(claims, 'sid')
  return isSubject(sid) ? sid : null
}

/**
 * When the ID token was issued, at the end of its second: a sign-in after a sign-out in the same second counts. Never later
 * than now.
 */
const readIssueTime = (claims: Claims, receivedAt: number): number => {
  const iat = getClaim(claims, 'iat')
  return typeof iat === 'number' ? Math.min(iat * 1000 + 999, receivedAt) : receivedAt
}

/** Some identity providers send this claim as a text. */
const isRefused = (isVerified: unknown): boolean => isVerified === false || isVerified === 'false'

const toTexts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  )

const toAttribute = (name: string, values: readonly string[]): Attribute => ({
  name,
  friendlyName: null,
  values,
})
