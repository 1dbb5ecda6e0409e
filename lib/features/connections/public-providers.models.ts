/**
 * The providers at which everybody can have an account. `oidc` is any provider of OpenID Connect, and the others have rules of their
 * own.
 */
export const publicProviders = ['google', 'microsoft', 'apple', 'github', 'oidc'] as const
export type PublicProvider = (typeof publicProviders)[number]

/** What can happen at the first sign-in of an account at a public provider. */
export const firstSignIns = ['ask', 'create', 'refuse', 'invited'] as const
export type FirstSignIn = (typeof firstSignIns)[number]

/** The providers that name the same people alike for each service. Apple has other names for each team of developers. */
export const presets = ['google', 'microsoft', 'github'] as const satisfies readonly PublicProvider[]
export type Preset = (typeof presets)[number]

/** How a provider names the accounts of people. */
interface AccountForm {
  /** What the names begin with, whatever the issuer of a connection is: a stand-in plays the provider, and names the same people. */
  readonly origin: string
  /** The names of the people, which are the same at each service that signs them in. */
  readonly subject: RegExp
  /** Completes "The field …" for a text that is no such name. */
  readonly rule: string
}

const guid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

export const presetAccounts: Readonly<Record<Preset, AccountForm>> = {
  google: {
    origin: 'https://accounts.google.com',
    subject: /^\d{1,255}$/,
    rule: 'must be the `sub` of the account at Google, which has digits alone',
  },
  microsoft: {
    origin: 'https://login.microsoftonline.com',
    subject: new RegExp(`^${guid}/${guid}$`),
    rule: 'must be `{tid}/{oid}`. A `sub` of Microsoft is valid for one registration alone',
  },
  github: {
    // The issuer that its authorization server metadata (RFC 8414) states.
    origin: 'https://github.com/login/oauth',
    subject: /^[1-9]\d{0,14}$/,
    rule: 'must be the number of the account at GitHub',
  },
}
