import type { Attribute, ProvenIdentity } from '../proven-identity.records.ts'
import type { OidcConnection } from './records.ts'

/** The claims of an ID token, or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core 1.0, section 2: at most 255 ASCII characters. */
export const isSubject = (sub: unknown): sub is string =>
  typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub)

const groupsRead = 500

/**
 * Reads the user of a sign-in from claims, in the form that the rules of company connections use. The name of the account
 * is the subject together with its issuer. So the same subject at another issuer is another account.
 *
 * An address with `email_verified: false` is left out. Any other one counts as verified only if its domain is proven for the
 * connection, like an address in SAML. `email_verified: true` adds nothing: an administrator of the company decides it.
 */
export const readIdentity = (
  { issuer, attribute_mapping: mapped }: Pick<OidcConnection, 'issuer' | 'attribute_mapping'>,
  claims: Claims,
  {
    sub,
    authenticatedAt,
    receivedAt,
  }: { readonly sub: string; readonly authenticatedAt: number; readonly receivedAt: number },
): ProvenIdentity => {
  const text = (name: string) => toTexts(getClaim(claims, name)).slice(0, 1)
  const email = isRefused(getClaim(claims, 'email_verified')) ? [] : text(mapped.email_from ?? 'email')
  const username = text(mapped.username_from ?? 'preferred_username')
  const groups = getClaim(claims, mapped.groups_from ?? 'groups')
  return {
    id: sub,
    issuedAt: readIssueTime(claims, receivedAt),
    authenticatedAt,
    authnContexts: [...readAuthnClass(claims), ...toTexts(getClaim(claims, 'amr'))],
    usableUntil: receivedAt,
    subject: {
      nameId: sub,
      nameIdFormat: null,
      nameQualifier: null,
      spNameQualifier: null,
      sessionIndex: readSession(claims),
      endsBySession: true,
    },
    identifier: { attribute: issuer, value: sub },
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

/** Reads one claim. A name such as `__proto__` never leads to a built-in member. */
export const getClaim = (claims: Claims, name: string): unknown =>
  Object.hasOwn(claims, name) ? claims[name] : undefined

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
