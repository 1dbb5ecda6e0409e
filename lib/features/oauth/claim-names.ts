import type { AttributeValue } from '../../kernel/contract/stored-attributes.ts'

/*
 * The names of claims that a service adds. Names are compared without regard to case: some JSON libraries read `SUB` as `sub`.
 */

/** A claim of OpenID Connect Core 5.1 that an attribute can feed: its scope (5.4), the type of its attribute, and its form in JSON. */
interface StandardClaim {
  readonly scope: 'profile' | 'phone' | 'address'
  readonly type: 'text' | 'date'
  /** Returns undefined for a text that cannot be its value. */
  readonly form: (text: string) => unknown
}

const toText = (text: string): string => text

/** Relying parties load or link these. */
const toAddress = (text: string): string | undefined =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined

const toLanguage = (text: string): string | undefined =>
  /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/.test(text) ? text : undefined

const toDate = (text: string): string | undefined => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined)

const inProfile = { scope: 'profile', type: 'text', form: toText } as const
const address = { ...inProfile, form: toAddress }

/** Those that the service states itself are not in here. */
const standardClaims: ReadonlyMap<string, StandardClaim> = new Map<string, StandardClaim>([
  ['given_name', inProfile],
  ['family_name', inProfile],
  ['middle_name', inProfile],
  ['nickname', inProfile],
  ['gender', inProfile],
  ['zoneinfo', inProfile],
  ['profile', address],
  ['picture', address],
  ['website', address],
  ['locale', { ...inProfile, form: toLanguage }],
  ['birthdate', { scope: 'profile', type: 'date', form: toDate }],
  ['phone_number', { scope: 'phone', type: 'text', form: toText }],
  ['address', { scope: 'address', type: 'text', form: (formatted) => ({ formatted }) }],
])

/** What the service states about a user, in the claims of OpenID Connect and in those of its own. */
const ownNames: ReadonlySet<string> = new Set([
  ...['sub', 'email', 'preferred_username', 'name', 'updated_at', 'username', 'user_id'],
  ...['groups', 'permissions', 'attributes', 'access_link'],
])

/** Names with a meaning in JWTs, ID tokens, access tokens, introspection and answers with errors. */
const protocolNames: ReadonlySet<string> = new Set([
  ...['iss', 'aud', 'exp', 'nbf', 'iat', 'jti', 'typ', 'alg', 'kid', 'crit', 'cty'],
  ...['azp', 'nonce', 'auth_time', 'at_hash', 'c_hash', 's_hash', 'acr', 'amr', 'sid', 'sub_jwk', 'sub_id'],
  ...['scope', 'scp', 'client_id', 'act', 'may_act', 'cnf', 'authorization_details', 'events', 'toe', 'txn'],
  ...['active', 'token_type', 'token_introspection', 'error', 'error_description', 'error_uri'],
])

const isReserved = (name: string): boolean => /^(?:org_|latchkey)|_verified$/.test(name)

type Place = 'attributes' | 'top'

/** The claim of OpenID Connect that an added claim is. */
export const findStandardClaim = ({
  name,
  place,
}: {
  readonly name: string
  readonly place: Place
}): StandardClaim | undefined => (place === 'top' ? standardClaims.get(name) : undefined)

/** What keeps a claim from having a name. */
export const findNameProblem = (name: string, place: Place): string | undefined => {
  const folded = name.toLowerCase()
  if (ownNames.has(folded)) return 'must not be the name of a claim that the service states itself'
  if (protocolNames.has(folded) || isReserved(folded))
    return 'must not be a name of a protocol, or begin with org_ or latchkey, or end with _verified'
  // Code that looks a claim up in an object would find what each object has.
  if (Object.hasOwn(Object.prototype, name)) return 'must not be a name that each object of JavaScript has'
  if (place === 'top' && standardClaims.has(folded) && name !== folded)
    return `must be ${folded}, as OpenID Connect writes it`
  return undefined
}

/** The value of a claim in JSON. Undefined if it cannot be one of a claim of OpenID Connect. */
export const toClaimValue = (
  claim: { readonly name: string; readonly place: Place },
  value: AttributeValue,
): unknown => {
  const standard = findStandardClaim(claim)
  if (!standard) return value
  return typeof value === 'string' ? standard.form(value) : undefined
}
