import { isIP } from 'node:net'
import type { FieldError } from '../../../../kernel/errors/errors.ts'
import { toFieldErrors } from '../../connection-fields.ts'
import { declaredProviders } from '../../public-providers.models.ts'
import { type Claims, getClaim, isObject, parseObject } from '../get-claim.ts'
import type { OidcConnection } from '../records.ts'
import { isOneOf } from './authority.ts'
import { fieldsOfPublic } from './field-rules.ts'
import type { ProviderRow } from './provider-row.ts'

const [issuer] = declaredProviders.apple.issuers

const appleId = /^[A-Z0-9]{10}$/
const appIdForm = /^[\w.-]+$/

const validateAppleId = (id: string | null | undefined): string | undefined => {
  if (id == null) return 'is required for Apple'
  return appleId.test(id) ? undefined : 'must be 10 capital letters and digits'
}

const validateAppId = (id: string | null | undefined): string | undefined =>
  id == null || appIdForm.test(id) ? undefined : 'must be an App ID without the team, such as com.example.app'

const validateFields = (connection: OidcConnection): readonly FieldError[] => [
  ...toFieldErrors('apple_team_id', validateAppleId(connection.apple_team_id)),
  ...toFieldErrors('apple_key_id', validateAppleId(connection.apple_key_id)),
  ...toFieldErrors('apple_app_id', validateAppId(connection.apple_app_id)),
]

/** Apple accepts https addresses with a domain name. A stand-in has no such rule. */
const explainReturn: ProviderRow['explainReturn'] = ({ publicUrl }, connection) => {
  const { protocol, hostname } = new URL(publicUrl)
  const isName = hostname.includes('.') && isIP(hostname) === 0
  return connection.issuer !== issuer || (protocol === 'https:' && isName)
    ? undefined
    : `Apple returns only to https addresses with a domain name, and this service is at ${publicUrl}. Sign in in another way.`
}

/** Longer names are left out. */
const nameLength = 100

/**
 * The name of a person in `user`, which Apple adds to the first answer alone. It is not signed, so its address has no effect.
 * Undefined if the text is not what Apple sends.
 */
const readUser = (text: string): Claims | undefined => {
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

/**
 * Accounts of Apple for everybody. Apple speaks OpenID Connect, but the client secret is a JWT, browsers post the answer as a form, and the
 * name of a person comes once, next to the ID token. The rules are those of "Sign in with Apple REST API" at
 * developer.apple.com/documentation/signinwithapplerestapi, as read in November 2026.
 */
export const apple: ProviderRow = {
  authorities: [
    // The addresses of iCloud Mail, and those that hide an address.
    {
      rules: [isOneOf('email_verified', true, 'true')],
      domains: new Set(['icloud.com', 'me.com', 'mac.com', 'privaterelay.appleid.com']),
    },
  ],
  fields: {
    ...fieldsOfPublic,
    apple_team_id: 'settable',
    apple_key_id: 'settable',
    apple_app_id: 'settable',
  },
  validateFields,
  others: { refuseIssuer: () => undefined, needsHostedDomain: false },
  isStandIn: () => true,
  requiredScopes: ['openid'],
  // It calls `profile` `name`.
  toScopes: (scopes) => [...new Set(scopes.map((scope) => (scope === 'profile' ? 'name' : scope)))],
  explainReturn,
  // It knows no prompt: "Request an authorization to the Sign in with Apple server".
  newSignIn: {},
  // It requires a form for these scopes.
  answer: { mode: 'form_post', readUser },
  metadata: { from: 'discovery' },
  user: { from: 'id_token', userinfo: 'without_address' },
  nameAccount: (_, claims) => getClaim(claims, 'sub'),
  adaptFetch: null,
  madeSecret: {
    validate: async (stored) => {
      const { isAppleKey } = await import('./apple-secret.ts')
      return (await isAppleKey(stored))
        ? undefined
        : 'must be the private key from Apple, with all lines of its .p8 file'
    },
    make: async (...request) => (await import('./apple-secret.ts')).createAppleSecret(...request),
  },
  // Apple wants a service to revoke its tokens when an account there is no longer used.
  keepsRefreshToken: true,
  sendsAppleNotifications: true,
}
