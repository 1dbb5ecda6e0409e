import { isIP } from 'node:net'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { toFieldErrors } from '../connection-fields.ts'
import { type Claims, getClaim } from './get-claim.ts'
import type { OidcConnection } from './records.ts'

/*
 * Accounts of Apple for everybody. Apple speaks OpenID Connect, but the client secret is a JWT, browsers post the answer as a form, and the
 * name of a person comes once, beside the ID token. The rules are those of "Sign in with Apple REST API" at
 * developer.apple.com/documentation/signinwithapplerestapi, as read in November 2026.
 */

export const appleIssuer = 'https://appleid.apple.com'

type Provider = Pick<OidcConnection, 'public_provider'>

export const isApple = ({ public_provider: provider }: Provider): boolean => provider === 'apple'

/** The scopes that Apple is asked for. It calls `profile` `name`. */
export const toAppleScopes = (scopes: readonly string[]): readonly string[] => [
  ...new Set(scopes.map((scope) => (scope === 'profile' ? 'name' : scope))),
]

/** The fields of a connection that only Apple has. */
export const fieldsOfApple = ['apple_team_id', 'apple_key_id', 'apple_app_id'] as const

const appleId = /^[A-Z0-9]{10}$/
const appIdForm = /^[\w.-]+$/

/** Returns all that is wrong with the fields that only Apple has. */
export const validateAppleFields = (connection: OidcConnection): readonly FieldError[] =>
  isApple(connection)
    ? fieldsOfApple.flatMap((field) => {
        const validate = field === 'apple_app_id' ? validateAppId : validateAppleId
        return toFieldErrors(field, validate(connection[field] ?? null))
      })
    : fieldsOfApple.flatMap((field) =>
        (connection[field] ?? null) === null ? [] : [{ field, message: 'is only for Apple' }],
      )

const validateAppleId = (id: string | null): string | undefined => {
  if (id === null) return 'is required for Apple'
  return appleId.test(id) ? undefined : 'must be 10 capital letters and digits'
}

const validateAppId = (id: string | null): string | undefined =>
  id === null || appIdForm.test(id)
    ? undefined
    : 'must be an App ID without the team, such as com.example.app'

/**
 * The names of this service in notifications. Apple sends them for the App ID that the address is registered with, and names that or the
 * Services ID of the sign-in.
 */
export const listNoticeAudiences = ({
  client_id: clientId,
  apple_app_id: appId,
}: Pick<OidcConnection, 'client_id' | 'apple_app_id'>): readonly [string, ...string[]] =>
  appId == null ? [clientId] : [clientId, appId]

/**
 * Says why Apple cannot return to this service. It accepts https addresses with a domain name. Undefined if it can, also for a stand-in,
 * which has no such rule.
 */
export const explainReturn = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { issuer }: Pick<OidcConnection, 'issuer'>,
): string | undefined => {
  const { protocol, hostname } = new URL(publicUrl)
  const isName = hostname.includes('.') && isIP(hostname) === 0
  return issuer !== appleIssuer || (protocol === 'https:' && isName)
    ? undefined
    : `Apple returns only to https addresses with a domain name, and this service is at ${publicUrl}. Sign in in another way.`
}

/** Longer names are left out. */
const nameLength = 100

/**
 * The name of a person in `user`, which Apple adds to the first answer alone. It is not signed, so its address has no effect.
 * Undefined if the text is not what Apple sends.
 */
export const readAppleUser = (text: string): Claims | undefined => {
  const user = parseObject(text)
  if (!user) return undefined
  const name = getClaim(user, 'name') ?? {}
  if (!isObject(name)) return undefined
  const read = (part: string): string | undefined => {
    const value = getClaim(name, part)
    return typeof value === 'string' && value.length <= nameLength ? value : undefined
  }
  return { given_name: read('firstName'), family_name: read('lastName') }
}

/** Parses a text that is an object in JSON. */
export const parseObject = (text: string): Claims | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
