import type { Language } from '../../kernel/i18n/languages.ts'
import type { cornerRadii, logoKinds } from '../../kernel/limits/limits.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import type { Branding as BrandingBody, BrandingTexts } from './models.ts'

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
export type BrandTexts = Required<Stored<BrandingTexts>>

/** What an uploaded image is for. */
export type LogoKind = (typeof logoKinds)[number]
type Logos = { readonly [Kind in LogoKind]: Logo | null }

/** How pages and emails look and whom they name. Images are stored by their hash, and shown by their address. */
export type Branding = Omit<Stored<BrandingBody>, keyof Logos | 'texts' | 'reply_to_used'> &
  Logos & { readonly texts: readonly BrandTexts[] }

/** The branding of a page or an email. */
export type ShownBranding = Branding & {
  /** The name of the organization whose look it has. It stands next to the name of the product and never replaces it. */
  readonly organization?: string
}

/** Whose page or email it is: the product, after the organization if there is one. */
export const nameOwner = (organization: string | null | undefined, product: string): string =>
  organization ? `${organization} · ${product}` : product

/** The branding as readers of this language see it: with their address for help, and with their own texts. */
export const localizeBranding = (
  branding: ShownBranding,
  language: Language,
): ShownBranding & Pick<BrandTexts, 'greeting' | 'footer'> => {
  const own = branding.texts.find((texts) => texts.language === language)
  return {
    ...branding,
    support_url: own?.support_url ?? branding.support_url,
    greeting: own?.greeting ?? null,
    footer: own?.footer ?? null,
  }
}

/** The address of a logo, for pages and emails. `publicUrl` is the origin of the service. */
export const getLogoUrl = (publicUrl: string, { hash }: Pick<Logo, 'hash'>): string =>
  `${publicUrl}/logos/${hash}`

/** The branding of a service that never set one. */
export const defaultBranding: Branding = {
  product_name: 'Latchkey',
  logo: null,
  dark_logo: null,
  icon: null,
  accent_color: '#1d4ed8',
  background_color: null,
  corner_radius: 'medium',
  support_url: null,
  privacy_url: null,
  terms_url: null,
  sender_name: null,
  reply_to: null,
  texts: [],
}
