import type { AttributeValue } from '../../kernel/contract/stored-attributes.ts'

/* The claims of OpenID Connect that a service adds. `claim-name-problems.ts` says which names no claim can have. */

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

type Place = 'attributes' | 'top'

/** The claim of OpenID Connect that an added claim is. */
export const findStandardClaim = ({
  name,
  place,
}: {
  readonly name: string
  readonly place: Place
}): StandardClaim | undefined => (place === 'top' ? standardClaims.get(name) : undefined)

/** The value of a claim in JSON. Undefined if it cannot be one of a claim of OpenID Connect. */
export const toClaimValue = (
  claim: { readonly name: string; readonly place: Place },
  value: AttributeValue,
): unknown => {
  const standard = findStandardClaim(claim)
  if (!standard) return value
  return typeof value === 'string' ? standard.form(value) : undefined
}
