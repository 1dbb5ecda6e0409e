import { createHash } from 'node:crypto'
import { fillTemplate, type Page, type TemplateTexts } from '../../../http/page.ts'
import { getDirection, type Language } from '../../../kernel/i18n/languages.ts'
import { createTranslate, type Translate, type Translation } from '../../../kernel/i18n/messages.ts'
import { type Branding, localizeBranding } from '../../branding/brand.models.ts'
import { buildBrandStyle } from '../../branding/brand-style.ts'
import type { en } from './messages/en.ts'

/** Formats a message of the pages that the server renders. */
export type TranslatePlain = Translate<typeof en>

// A function loads only the languages that its readers use.
const loaders: Readonly<Record<Language, () => Promise<Translation<typeof en>>>> = {
  en: async () => (await import('./messages/en.ts')).en,
  fr: async () => (await import('./messages/fr.ts')).fr,
  de: async () => (await import('./messages/de.ts')).de,
  nb: async () => (await import('./messages/nb.ts')).nb,
  ja: async () => (await import('./messages/ja.ts')).ja,
  es: async () => (await import('./messages/es.ts')).es,
  it: async () => (await import('./messages/it.ts')).it,
  pt: async () => (await import('./messages/pt.ts')).pt,
  ar: async () => (await import('./messages/ar.ts')).ar,
  he: async () => (await import('./messages/he.ts')).he,
  nl: async () => (await import('./messages/nl.ts')).nl,
  pl: async () => (await import('./messages/pl.ts')).pl,
}

export type Texts = TemplateTexts

/** Loads the messages of a language. */
export const loadTranslate = async (language: Language): Promise<TranslatePlain> =>
  createTranslate<typeof en>(language, await loaders[language]())

/**
 * Renders a page that works without scripts. `describe` returns the texts of the template in
 * the language of the reader.
 */
export const renderPlainPage = async (
  template: Page,
  branding: Branding,
  language: Language,
  describe: (t: TranslatePlain) => Texts,
): Promise<Page> => {
  const t = await loadTranslate(language)
  const style = buildBrandStyle(branding)
  const { logo, dark_logo: darkLogo, icon } = branding
  const { support_url: supportUrl } = localizeBranding(branding, language)
  const html = fillTemplate(template.html, {
    language,
    direction: getDirection(language),
    style,
    productName: branding.product_name,
    ...(logo
      ? { logo: `/logos/${logo.hash}`, logoWidth: String(logo.width), logoHeight: String(logo.height) }
      : { nameOnly: branding.product_name }),
    ...(darkLogo && { darkLogo: `/logos/${darkLogo.hash}` }),
    ...(icon && { icon: `/logos/${icon.hash}` }),
    ...(supportUrl !== null && { supportUrl, support: t('support') }),
    ...describe(t),
  })
  return { html, headers: allowStyle(template.headers, style) }
}

const allowStyle = (headers: Page['headers'], style: string): Page['headers'] => {
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = headers['content-security-policy'] ?? ''
  return {
    ...headers,
    'content-security-policy': policy.replace('style-src', `style-src 'sha256-${hash}'`),
  }
}

/** Describes a waiting time: in seconds up to 90, then in minutes. An unknown time counts as a minute. */
export const describeWait = (t: TranslatePlain, seconds: number): string => {
  if (!(seconds > 0)) return t('minutes', { count: 1 })
  return seconds <= 90 ? t('seconds', { count: seconds }) : t('minutes', { count: Math.ceil(seconds / 60) })
}
