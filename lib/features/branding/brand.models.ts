import type { Language } from '../../kernel/i18n/languages.ts'
import type { cornerRadii } from '../../kernel/limits/limits.ts'

/** An image that was uploaded. It is served at `/logos/{hash}`. */
export interface Logo {
  /** The SHA-256 of the image, in hexadecimal digits. */
  readonly hash: string
  readonly contentType: string
  readonly width: number
  readonly height: number
}

/** How round the corners of buttons, fields and areas are. */
export type CornerRadius = (typeof cornerRadii)[number]

/** What a product says to the readers of one language. Null says nothing. */
export interface BrandTexts {
  readonly language: Language
  /** One line on the sign-in page. */
  readonly greeting: string | null
  /** One line at the end of pages and emails. */
  readonly footer: string | null
  /** Where these readers find help. Null for the address of all languages. */
  readonly supportUrl: string | null
}

/** How pages and emails look and whom they name. Colors have the form `#rrggbb`. */
export interface Branding {
  readonly productName: string
  readonly logo: Logo | null
  /** The logo of dark mode. Without one, it is that of light mode. */
  readonly darkLogo: Logo | null
  /** The icon of the pages in the tabs of browsers. */
  readonly icon: Logo | null
  readonly accentColor: string
  readonly backgroundColor: string | null
  readonly cornerRadius: CornerRadius
  readonly supportUrl: string | null
  readonly privacyUrl: string | null
  readonly termsUrl: string | null
  /** At most one entry for each language. */
  readonly texts: readonly BrandTexts[]
}

/** The branding as readers of this language see it: with their address for help, and with their own texts. */
export const localizeBranding = (
  branding: Branding,
  language: Language,
): Branding & Pick<BrandTexts, 'greeting' | 'footer'> => {
  const own = branding.texts.find((texts) => texts.language === language)
  return {
    ...branding,
    supportUrl: own?.supportUrl ?? branding.supportUrl,
    greeting: own?.greeting ?? null,
    footer: own?.footer ?? null,
  }
}

/** The address of a logo, for pages and emails. `publicUrl` is the origin of the service. */
export const getLogoUrl = (publicUrl: string, { hash }: Pick<Logo, 'hash'>): string =>
  `${publicUrl}/logos/${hash}`

/** The branding of a service that never set one. */
export const defaultBranding: Branding = {
  productName: 'Latchkey',
  logo: null,
  darkLogo: null,
  icon: null,
  accentColor: '#1d4ed8',
  backgroundColor: null,
  cornerRadius: 'medium',
  supportUrl: null,
  privacyUrl: null,
  termsUrl: null,
  texts: [],
}
