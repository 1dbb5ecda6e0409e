import type { FieldError } from '../../../kernel/errors/errors.ts'
import type { Config } from '../../../kernel/settings/config.ts'
import { getFetchRules } from '../address-rules.ts'
import { connectionDefaults, toFieldErrors } from '../connection-fields.ts'
import { listForeignFields } from '../field-scope.ts'
import { type PublicProvider, presetAccounts } from '../public-providers.models.ts'
import { appleIssuer, validateAppleFields } from './apple.ts'
import { githubIssuer } from './github.ts'
import { listMicrosoftIssuers, microsoftOrigin } from './microsoft.ts'
import { oidcRights } from './models.ts'
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
    ...listForeignFields(oidcRights, 'forEverybody', connection, valuesOfPublic),
  ]
}

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
