import type { Language } from '../i18n/languages.ts'

/** Providers that the sign-in page shows. The others are found by the domain of an address. */
export const signInProvidersMax = 20

/** The page that asks about an answer of an identity provider. The ID of the connection and that of the question follow. */
export const signInQuestionPath = '/sign-in-question'

/** What a page knows at its first paint. The server writes it into the page as JSON. */
export interface PageData {
  /** The name of the page. */
  readonly page: string
  readonly language: Language
  /** The languages that the page has. */
  readonly languages: readonly Language[]
  readonly brand: PageBrand
  /** The product that the brand was chosen for. Null for the brand of the service. */
  readonly product: string | null
  /** Who is signed in. Null if no one is, or if the page does not ask for it. */
  readonly user: PageUser | null
  /** The identity providers of the sign-in page. The console knows them, too. */
  readonly providers: readonly PageProvider[]
  /** Whether the domain of an address can lead to an identity provider, so that the sign-in page asks for the address first. */
  readonly hasDomains: boolean
  /** Whether the sign-in page offers to email a code. */
  readonly allowsEmailCodes: boolean
  /** Whether the sign-in policy accepts only passkeys. */
  readonly passkeysOnly: boolean
  /** How people create their own account. Null where they cannot. */
  readonly signUp: PageSignUp | null
  /** Whether the service sends email, so that the sign-in page asks administrators for their address. */
  readonly sendsEmail: boolean
  /** Whether the sign-in page offers the console to the user. */
  readonly canAdminister: boolean
  /** Where the sign-in page leads to. Null if its address does not say. */
  readonly returnTarget: ReturnTarget | 'refused' | null
  /** Whose the account page or the console is. Null on other pages. */
  readonly account: PageAccount | null
  /** The sign-in page of the service or of the product. */
  readonly signInUrl: string
}

/** How the service presents itself to people. */
export interface PageBrand {
  readonly product_name: string
  /** The name of the organization whose look the page has. The page shows it next to the name of the product. */
  readonly organization: string | null
  readonly logo: PageLogo | null
  /** The logo of dark mode. Null for the same. */
  readonly dark_logo: PageLogo | null
  /** What the sign-in page says first, in the language of the page. */
  readonly greeting: string | null
  /** What pages say at their end, in the language of the page. */
  readonly footer: string | null
  readonly support_url: string | null
  readonly privacy_url: string | null
  readonly terms_url: string | null
}

export interface PageLogo {
  readonly url: string
  readonly width: number
  readonly height: number
}

export interface PageUser {
  readonly id: number
  readonly username: string
  readonly displayName: string
  /** Whether an access link created the user. Their names are generated, and mean nothing to people. */
  readonly isGuest: boolean
  /** The name of the administrator who impersonates the user. */
  readonly impersonatedBy: string | null
  /**
   * What the session is for: everything, what an access link shares, only the setup of a second factor or of a passkey, or only the
   * organizations whose connections opened it.
   */
  readonly session: 'full' | 'link' | 'setup' | 'passkey_setup' | 'organizations'
  readonly confirmation: ConfirmationWays
}

/** How the user can confirm their identity in the session. Without any way, they sign in again. */
export interface ConfirmationWays {
  readonly hasPassword: boolean
  readonly hasPasskey: boolean
  /** Whether a code of the authenticator app is all that the session lacks to be one with two factors. */
  readonly lacksCode: boolean
  /** What starts a sign-in with the identity provider that signed them in. */
  readonly providerStartPath: string | null
}

/** The account of the user who is signed in. */
export interface PageAccount {
  readonly profile: AccountProfile
  /** Users whom only an identity provider signs in have no passkeys. */
  readonly canHavePasskeys: boolean
  /** Whether the user does not want to see the first steps of an administrator. */
  readonly hidesOnboarding: boolean
}

/** The part of the user's profile that the account page shows, as the API returns it. */
export interface AccountProfile {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly full_name: string | null
  readonly page_language?: Language | null | undefined
  readonly email?: string | null | undefined
  readonly email_verified?: boolean | undefined
  readonly pending_email?: string | null | undefined
  readonly effective_permissions: readonly string[]
  readonly has_password: boolean
  readonly allow_changing_password: boolean
  readonly totp_enabled: boolean
  readonly recovery_codes_left?: number | undefined
  readonly second_factor_required_from?: string | undefined
  /** What directories keep, with the names of their connections. */
  readonly kept_by_directories?:
    | readonly { readonly name: string; readonly fields: readonly string[] }[]
    | undefined
}

export interface PageSignUp {
  /** The only domains of addresses. Empty allows all. */
  readonly domains: readonly string[]
}

export interface PageProvider {
  readonly id: number
  readonly name: string
  /** What starts a sign-in. */
  readonly startPath: string
  /** The provider that everybody can have an account at. Missing for a company. */
  readonly preset?: string
}

export interface ReturnTarget {
  /** The product that the page leads to: its name, or its host. */
  readonly name: string
  /** Whether it is another product, and not a page of this service. */
  readonly isExternal: boolean
}

/** The query parameter with the language that a person chooses on a page. The server keeps it in a cookie. */
export const languageParameter = 'language'

/** The permissions that open a part of the console, each alone. */
export const consolePermissions: readonly string[] = [
  'system:admin-access',
  'users:view',
  'users:manage',
  'organizations:view',
]
