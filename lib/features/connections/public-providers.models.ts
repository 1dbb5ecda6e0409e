/*
 * What the wire, the pages and the table know of each provider at which everybody can have an account. Its rules are a row of their own: see
 * `oidc/providers/provider-row.ts`. Each record is complete by type, so that a new provider does not compile until all of it is decided.
 *
 * They have no calls and no templates, so that bundles leave out the records that they do not use.
 */

/** The names of the providers. `oidc` is any provider of OpenID Connect, and the others have rules of their own. */
export const publicProviders = [
  // The console lists them in this order.
  'google',
  'microsoft',
  'apple',
  'github',
  'oidc',
] as const
export type PublicProvider = (typeof publicProviders)[number]

/** What can happen at the first sign-in of an account at a public provider. */
export const firstSignIns = ['ask', 'create', 'refuse', 'invited'] as const
export type FirstSignIn = (typeof firstSignIns)[number]

export const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const
export type AuthMethod = (typeof authMethods)[number]

/** How a provider names the accounts of people, if it names the same people alike for each service. */
interface AccountForm {
  /** What the names begin with, whatever the issuer of a connection is: a stand-in plays the provider, and names the same people. */
  readonly origin: string
  /** The names of the people, which are the same at each service that signs them in. */
  readonly subject: RegExp
  /** Completes "The field …" for a text that is no such name. */
  readonly rule: string
}

/** The fields of a connection that its names of accounts can depend on. */
interface NamingFields {
  readonly issuer: string
  readonly apple_team_id?: string | null
}

/** What a provider is, apart from the rules of its sign-in. */
export interface DeclaredProvider {
  /** What people and administrators call it. Null for one without a name of its own. */
  readonly name: string | null
  /** The issuers of its connections. `unlisted`: all that no other provider lists. `any`: those of a company. */
  readonly issuers: readonly [string, ...string[]] | 'unlisted' | 'any'
  /** How the service can authenticate at its token endpoint. */
  readonly authMethods: readonly [AuthMethod, ...AuthMethod[]]
  /** How it names accounts: alike for each service, or for each value of these fields apart. */
  readonly accounts: AccountForm | readonly [keyof NamingFields, ...(keyof NamingFields)[]]
  /** How many connections to it are possible. */
  readonly connections: 'one' | 'one an issuer' | 'any'
  /** Which limit its first sign-ins count at. Anyone who can run the provider can also make up any number of people. */
  readonly signUpLimit: 'signUpsPerAddress' | 'providerSignUpsPerNetwork'
}

/** Only a company can have any issuer, and any number of connections. */
interface DeclaredPublicProvider extends DeclaredProvider {
  readonly issuers: Exclude<DeclaredProvider['issuers'], 'any'>
  readonly connections: Exclude<DeclaredProvider['connections'], 'any'>
}

/** The providers, and the identity provider of a company, whose connection has no `public_provider`. */
export const declaredProviders = {
  google: {
    name: 'Google',
    issuers: ['https://accounts.google.com'],
    authMethods,
    accounts: {
      origin: 'https://accounts.google.com',
      subject: /^\d{1,255}$/,
      rule: 'must be the `sub` of the account at Google, which has digits alone',
    },
    connections: 'one',
    signUpLimit: 'providerSignUpsPerNetwork',
  },
  microsoft: {
    name: 'Microsoft',
    // Whose accounts may sign in: all, those of work and school, or personal ones. The first one is what most products want.
    issuers: [
      'https://login.microsoftonline.com/common/v2.0',
      'https://login.microsoftonline.com/organizations/v2.0',
      'https://login.microsoftonline.com/consumers/v2.0',
    ],
    authMethods,
    // People keep their accounts if the connection is created again for others.
    accounts: {
      origin: 'https://login.microsoftonline.com',
      subject: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      rule: 'must be `{tid}/{oid}`. A `sub` of Microsoft is valid for one registration alone',
    },
    connections: 'one',
    signUpLimit: 'providerSignUpsPerNetwork',
  },
  apple: {
    name: 'Apple',
    issuers: ['https://appleid.apple.com'],
    authMethods: ['client_secret_post'],
    // It gives a person another subject for each team of developers.
    accounts: ['issuer', 'apple_team_id'],
    connections: 'one',
    signUpLimit: 'providerSignUpsPerNetwork',
  },
  github: {
    name: 'GitHub',
    // The issuer that its authorization server metadata (RFC 8414) states.
    issuers: ['https://github.com/login/oauth'],
    authMethods: ['client_secret_post'],
    accounts: {
      origin: 'https://github.com/login/oauth',
      subject: /^[1-9]\d{0,14}$/,
      rule: 'must be the number of the account at GitHub',
    },
    connections: 'one',
    signUpLimit: 'providerSignUpsPerNetwork',
  },
  oidc: {
    name: null,
    issuers: 'unlisted',
    authMethods,
    accounts: ['issuer'],
    connections: 'one an issuer',
    // Anyone can run one.
    signUpLimit: 'signUpsPerAddress',
  },
  company: {
    name: null,
    issuers: 'any',
    authMethods,
    accounts: ['issuer'],
    connections: 'any',
    signUpLimit: 'signUpsPerAddress',
  },
} as const satisfies Readonly<
  Record<PublicProvider, DeclaredPublicProvider> & Record<'company', DeclaredProvider>
>

/** The names of rows: those of public providers, and `company`. */
export type ProviderName = keyof typeof declaredProviders

/** A connection, as far as it names its provider. */
export interface OfProvider {
  readonly public_provider?: PublicProvider | null | undefined
}

/** Names the provider of a connection. */
export const nameProvider = ({ public_provider: provider }: OfProvider): ProviderName => provider ?? 'company'

/** @throws RangeError if there is no such provider, which only code of another version can have stored */
export const getDeclaredProvider = (connection: OfProvider): DeclaredProvider => {
  const name = nameProvider(connection)
  if (!Object.hasOwn(declaredProviders, name)) throw new RangeError('A connection has an unknown provider.')
  return declaredProviders[name]
}

const hasForm = (accounts: DeclaredProvider['accounts']): accounts is AccountForm => !Array.isArray(accounts)

/** What the names of accounts at the provider of a connection begin with. */
export const nameAccounts = (connection: OfProvider & NamingFields): string => {
  const { accounts } = getDeclaredProvider(connection)
  return hasForm(accounts) ? accounts.origin : accounts.map((field) => String(connection[field])).join('/')
}

/** What names the provider of a public connection, of which there is one. Undefined for that of a company. */
export const namePublicProvider = (connection: OfProvider & NamingFields): string | undefined => {
  const name = nameProvider(connection)
  const { connections } = getDeclaredProvider(connection)
  if (connections === 'any') return undefined
  return connections === 'one' ? name : `${name}:${connection.issuer}`
}

/** The providers that name the same people alike for each service. */
export type Preset = {
  [Name in PublicProvider]: (typeof declaredProviders)[Name]['accounts'] extends AccountForm ? Name : never
}[PublicProvider]

const isPreset = (name: PublicProvider): name is Preset => hasForm(declaredProviders[name].accounts)
export const listPresets = (): readonly Preset[] => publicProviders.filter(isPreset)

/** How a preset names the accounts of people. */
export const getPresetAccounts = (preset: Preset): AccountForm => declaredProviders[preset].accounts

/** The shapes of a mark, each a path with its color. */
export interface Mark {
  readonly viewBox: string
  /** Null if its shapes are filled. */
  readonly lineWidth: number | null
  readonly shapes: readonly (readonly [color: string, path: string])[]
}

/**
 * The marks on the buttons of the sign-in page. Null for a button like others. Their colors are the same in dark mode and in all languages. See "Sign in
 * with Google Branding Guidelines" and Microsoft's "Branding guidelines for applications". `web/sign-in/page.css` has the colors of their buttons.
 */
export const providerMarks: Readonly<Record<PublicProvider, Mark | null>> = {
  google: {
    viewBox: '4 4 40 40',
    lineWidth: 8,
    // A ring of four parts, of which the last goes on to the center.
    shapes: [
      ['#ea4335', 'M9.5 17.2A16 16 0 0 1 34.7 12.1'],
      ['#fbbc05', 'M9.5 30.8a16 16 0 0 1 0-13.6'],
      ['#34a853', 'M34.3 36.3A16 16 0 0 1 9.5 30.8'],
      ['#4285f4', 'M24 24h16a16 16 0 0 1-5.7 12.3'],
    ],
  },
  microsoft: {
    viewBox: '0 0 21 21',
    lineWidth: null,
    shapes: [
      ['#f25022', 'M0 0h10v10H0z'],
      ['#7fba00', 'M11 0h10v10H11z'],
      ['#00a4ef', 'M0 11h10v10H0z'],
      ['#ffb900', 'M11 11h10v10H11z'],
    ],
  },
  apple: null,
  github: null,
  oidc: null,
}

/** A field that the console shows for one provider alone. The label and the hint are names of messages. */
interface SetupField<Name extends string, Message extends string> {
  readonly name: Name
  readonly label: Message
  readonly hint: Message | null
  readonly maxLength: number
  readonly required: boolean
}

/** What the console asks for when a connection is set up, besides what all have. */
interface ProviderSetup<Field extends string = string, Message extends string = string> {
  readonly fields: readonly SetupField<Field, Message>[]
  /** What the client secret is at the provider. */
  readonly secret: { readonly label: Message; readonly hint: Message | null }
}

const plainSetup = { fields: [], secret: { label: 'clientSecret', hint: null } } as const

/** The steps of setting up a connection in the console. */
export const providerSetups = {
  google: plainSetup,
  microsoft: plainSetup,
  apple: {
    fields: [
      { name: 'apple_team_id', label: 'appleTeamId', hint: 'appleTeamIdHint', maxLength: 10, required: true },
      { name: 'apple_key_id', label: 'appleKeyId', hint: null, maxLength: 10, required: true },
      { name: 'apple_app_id', label: 'appleAppId', hint: 'appleAppIdHint', maxLength: 1023, required: false },
    ],
    secret: { label: 'appleKey', hint: 'appleKeyHint' },
  },
  github: plainSetup,
  oidc: plainSetup,
  company: plainSetup,
} as const satisfies Readonly<Record<ProviderName, ProviderSetup>>
