import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { getFetchRules } from '../address-rules.ts'
import { connectionDefaults, toFieldErrors } from '../connection-fields.ts'
import { type PublicProvider, presetAccounts } from '../public-providers.models.ts'
import { appleIssuer, validateAppleFields } from './apple.ts'
import { githubIssuer } from './github.ts'
import { listMicrosoftIssuers, microsoftOrigin } from './microsoft.ts'
import type { OidcConnection } from './records.ts'

/* What a connection to a provider for everybody says, and what only that of a company can say. */

export const googleIssuer = presetAccounts.google.origin

/** The issuers of each provider that has rules of its own. */
const issuers: ReadonlyMap<PublicProvider, readonly string[]> = new Map([
  ['google', [googleIssuer]],
  ['microsoft', listMicrosoftIssuers(microsoftOrigin)],
  ['apple', [appleIssuer]],
  ['github', [githubIssuer]],
])

/** What only a company decides about its own people. */
const fieldsOfCompanies = [
  'hosted_domain',
  'auto_create_users',
  'auto_create_groups',
  'auto_sync_groups',
  'allowed_groups',
  'attribute_mapping',
  'required_authn_contexts',
  'multi_factor_authn_contexts',
  'required_for_domains',
  'exempt_users',
  'organization_id',
] as const

const valuesOfPublic = { ...connectionDefaults, hosted_domain: null }

/** Returns all that is wrong with what a connection says about everybody. */
export const validatePublicConnection = (
  config: Config,
  connection: OidcConnection,
  before: OidcConnection | undefined,
): readonly FieldError[] => {
  const { public_provider: provider = null, first_sign_in: firstSignIn = null, issuer } = connection
  if (before && (before.public_provider ?? null) !== provider)
    return [{ field: 'public_provider', message: 'cannot be changed. Create another connection' }]
  const ofApple = validateAppleFields(connection)
  if (provider === null)
    return [
      ...toFieldErrors('first_sign_in', firstSignIn === null ? undefined : 'must be null for a company'),
      ...ofApple,
    ]
  return [
    ...ofApple,
    ...toFieldErrors('issuer', validateIssuer(config, provider, issuer, before?.issuer)),
    ...fieldsOfCompanies.flatMap((field) =>
      isSame(connection[field], valuesOfPublic[field])
        ? []
        : [{ field, message: 'is only for the identity provider of a company' }],
    ),
  ]
}

/** The table returns fields in any order. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other)

/** Another issuer would name other people. Where the service may fetch from loopback addresses, a stand-in can play the provider. */
const validateIssuer = (
  config: Config,
  provider: PublicProvider,
  issuer: string,
  before: string | undefined,
): string | undefined => {
  if (before !== undefined && before !== issuer) return 'of a public provider cannot be changed'
  const expected = issuers.get(provider)
  if (expected === undefined)
    return [...issuers.values()].flat().includes(issuer) ? 'has a `public_provider` of its own' : undefined
  const isStandIn =
    getFetchRules(config).allowsLoopback &&
    issuer.startsWith('http://127.0.0.1:') &&
    (provider !== 'microsoft' || listMicrosoftIssuers(URL.parse(issuer)?.origin ?? '').includes(issuer))
  return expected.includes(issuer) || isStandIn ? undefined : `must be ${expected.join(' or ')}`
}
