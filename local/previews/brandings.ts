import { type Branding, type CornerRadius, defaultBranding, type Logo } from '../../lib/branding/branding.ts'
import type { Language } from '../../lib/i18n/languages.ts'

export const exampleLogo = { hash: 'example', contentType: 'image/png', width: 320, height: 80 }

/** A branding in which everything is set. The logo is dark, so previews show whether it can be seen in dark mode. */
export const exampleBranding: Branding = {
  productName: 'Acme Media',
  logo: exampleLogo,
  darkLogo: null,
  icon: null,
  accentColor: '#b45309',
  backgroundColor: '#fef3c7',
  cornerRadius: 'medium',
  supportUrl: 'https://acme.example/help',
  privacyUrl: 'https://acme.example/privacy',
  termsUrl: 'https://acme.example/terms',
  texts: [
    {
      language: 'de',
      greeting: null,
      footer: 'Acme Media GmbH, Hauptstraße 1, Berlin',
      supportUrl: 'https://acme.example/hilfe',
    },
  ],
}

export const exampleLogoImage = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 80"><circle cx="40" cy="40" r="30" fill="#b45309"/>',
  '<text x="84" y="54" font-family="Helvetica,Arial,sans-serif" font-size="40" font-weight="bold" fill="#1f2937">',
  'Acme Media</text></svg>',
].join('')

interface WireBranding {
  readonly product_name: string
  readonly logo: WireLogo | null
  readonly dark_logo: WireLogo | null
  readonly icon: WireLogo | null
  readonly accent_color: string
  readonly background_color: string | null
  readonly corner_radius: CornerRadius
  readonly support_url: string | null
  readonly privacy_url: string | null
  readonly terms_url: string | null
  readonly texts: readonly {
    readonly language: Language
    readonly greeting: string | null
    readonly footer: string | null
    readonly support_url: string | null
  }[]
}

interface WireLogo {
  readonly url: string
  readonly width: number
  readonly height: number
}

const toLogo = (logo: WireLogo | null): Logo | null =>
  logo && { ...exampleLogo, ...logo, hash: logo.url.replace(/^.*\//, '') }

/** Asks the service for its branding. Without an answer it is the default. */
export const fetchBranding = async (serviceUrl: string): Promise<Branding> => {
  const answer = await fetch(`${serviceUrl}/api/2/branding`).catch(() => undefined)
  if (!answer?.ok) return defaultBranding
  const branding = (await answer.json()) as WireBranding
  return {
    productName: branding.product_name,
    logo: toLogo(branding.logo),
    darkLogo: toLogo(branding.dark_logo),
    icon: toLogo(branding.icon),
    accentColor: branding.accent_color,
    backgroundColor: branding.background_color,
    cornerRadius: branding.corner_radius,
    supportUrl: branding.support_url,
    privacyUrl: branding.privacy_url,
    termsUrl: branding.terms_url,
    texts: branding.texts.map(({ support_url, ...texts }) => ({ ...texts, supportUrl: support_url })),
  }
}
