import { day } from '../util/time.ts'
import { internalSettings } from './internal-settings.ts'
import type { LegacyPasswordCheck } from './legacy-password-check.ts'
import { type LinkProduct, readLinkProducts } from './link-products.ts'
import { type PasskeySettings, toPasskeySettings } from './passkey-settings.ts'
import type { SecurityContact } from './security-contact.ts'
import { serviceSettings } from './service-settings.ts'
import { type AnySetting, type Report, readTable, type ValuesOf, variableOf } from './setting.ts'

const settings = { ...internalSettings, ...serviceSettings }
type Values = ValuesOf<typeof settings>

/** What follows from several settings. */
interface Derived {
  /** The sign-in page: the built-in one, or a page of the product. */
  readonly signInUrl: string
  /** The products that access links lead to. The first one is for links that name none. */
  readonly linkProducts: readonly LinkProduct[]
  readonly passkeys: PasskeySettings
  /** How long a proof of identity in a session allows changes of credentials. */
  readonly recentAuthenticationMs: number
  /** How long audit events are kept. */
  readonly auditRetentionMs: number
  /** How long the values of people in audit events are kept. */
  readonly auditPersonalMs: number
  /** Where the passwords of the old system are checked. Undefined if they are not. */
  readonly legacyPasswordCheck: LegacyPasswordCheck | undefined
  /** Where people report vulnerabilities. Undefined if the operator has not said it. */
  readonly securityContact: SecurityContact | undefined
  /** Whether SAML metadata may come from loopback addresses. Only effective if `publicUrl` is plain http. */
  readonly allowPrivateMetadata: boolean
  /** Whether the endpoint is the embedded engine of local mode, which checks no signatures. */
  readonly hasEmbeddedEngine: boolean
}

/** The configuration of a function, read from the environment once per process. */
export interface Config
  extends Omit<
      Values,
      | keyof Derived
      | 'linkUrl'
      | 'recentAuthenticationSeconds'
      | 'auditRetentionDays'
      | 'auditPersonalDays'
      | 'legacyPasswordCheckUntil'
      | 'securityContactUntil'
      | `passkey${Capitalize<string>}`
    >,
    Derived {}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from environment variables.
 *
 * @throws Error that lists every missing or invalid variable, because a partly configured service must not start.
 */
export const readConfig = (environment: Environment): Config => {
  const { config, problems } = readAll((name) => environment[nameVariable(name)], nameVariable)
  if (problems.length > 0) throw new Error(`Latchkey can't start: ${problems.join('; ')}.`)
  const isEmbedded = config.dynamodbEndpoint !== undefined && environment['AWS_ACCESS_KEY_ID'] === 'local'
  return { ...config, hasEmbeddedEngine: isEmbedded }
}

/** Lists why functions could not start with these values, such as `breachEndpoint must be an http(s) URL`. */
export const findConfigProblems = (given: Readonly<Record<string, unknown>>): readonly string[] =>
  readAll(
    (name) => given[name],
    (name) => name,
  ).problems

const variables = new Map(
  Object.entries<AnySetting>(settings).map(([name, setting]) => [name, variableOf(name, setting)]),
)
const nameVariable = (name: string): string => variables.get(name) ?? name

/** Settings that require another one. */
const pairs = [
  ['legacyPasswordCheck', 'legacyPasswordCheckUntil'],
  ['legacyPasswordCheckUntil', 'legacyPasswordCheck'],
  ['securityContact', 'securityContactUntil'],
  ['securityContactUntil', 'securityContact'],
] as const satisfies readonly (readonly (keyof typeof settings)[])[]

/** Reads all settings. The result is only valid if there are no problems. */
const readAll = (given: (name: string) => unknown, label: (name: string) => string) => {
  const problems = new Set<string>()
  const report = (name: string, problem: string) => problems.add(`${label(name)} ${problem}`)
  const values = readTable(settings, given, (name, _, problem) => report(name, problem))
  for (const [name, other] of pairs)
    if (given(name) && !given(other)) report(name, `requires ${label(other)}`)
  return { config: { ...values, ...derive(values, { label, report }) }, problems: [...problems] }
}

const derive = (values: Values, { label, report }: Report): Omit<Derived, 'hasEmbeddedEngine'> => {
  const { publicUrl, allowedOrigins, linkUrl, hstsPreload, hstsIncludeSubdomains } = values
  const { legacyPasswordCheck: target, legacyPasswordCheckUntil: endsAt } = values
  const { securityContact, securityContactUntil } = values
  const linkProducts = readLinkProducts(linkUrl, allowedOrigins)
  if (typeof linkProducts === 'string') report('linkUrl', linkProducts)
  if (hstsPreload && !hstsIncludeSubdomains)
    report('hstsPreload', `requires ${label('hstsIncludeSubdomains')}`)
  return {
    signInUrl: values.signInUrl ?? `${publicUrl}/`,
    linkProducts: typeof linkProducts === 'string' ? [] : linkProducts,
    passkeys: toPasskeySettings(values, { label, report }),
    recentAuthenticationMs: values.recentAuthenticationSeconds * 1000,
    auditRetentionMs: values.auditRetentionDays * day,
    auditPersonalMs: Math.min(values.auditPersonalDays, values.auditRetentionDays) * day,
    legacyPasswordCheck: target && endsAt !== undefined ? { target, endsAt } : undefined,
    securityContact:
      securityContact && securityContactUntil !== undefined
        ? { ...securityContact, endsAt: securityContactUntil }
        : undefined,
    allowPrivateMetadata: values.allowPrivateMetadata && publicUrl.startsWith('http:'),
  }
}
