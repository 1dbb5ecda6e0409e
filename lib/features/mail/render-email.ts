import { getDirection } from '../../kernel/i18n/languages.ts'
import { escapeHtml } from '../../kernel/util/escape-html.ts'
import { type Logo, localizeBranding } from '../branding/brand.models.ts'
import { createDarkRules, createStyle, renderBlockAsHtml, renderBlockAsText } from './blocks.ts'
import { breakLongWords, type Email, type Envelope, getHost, getOwnerName, getProductName } from './email.ts'
import type { EmailContent } from './email-content.ts'
import { applyWords } from './own-texts/apply-words.ts'
import { createEmailTranslate, type TranslateEmail } from './translate.ts'
import { asServiceText, type ServiceText } from './user-text.ts'

/** Renders an email. Tables and inline styles work in all email programs. Text and HTML have the same content. */
export const renderEmail = (envelope: Envelope, given: EmailContent): Email => {
  const t = createEmailTranslate(envelope.language)
  const content = applyWords(envelope, t, given)
  const { subject, heading = subject } = content
  return {
    to: envelope.to,
    subject,
    text: renderText(envelope, t, { ...content, heading }),
    html: renderHtml(envelope, t, { ...content, heading }),
    ...(envelope.sender && { sender: envelope.sender }),
  }
}

type FullContent = EmailContent & { readonly heading: ServiceText }

const renderText = (envelope: Envelope, t: TranslateEmail, { heading, blocks }: FullContent): string => {
  const footer = [
    `${getProductName(envelope)} · ${getHost(envelope)}`,
    ...listFooterLinks(envelope, t).map(({ label, url }) => t('fact', { label, value: asServiceText(url) })),
    ...listFooterTexts(envelope),
  ]
  return `${[heading, ...blocks.map((block) => renderBlockAsText(block, t)), footer.join('\n')].join('\n\n')}\n`
}

const renderHtml = (
  envelope: Envelope,
  t: TranslateEmail,
  { heading, preview, blocks }: FullContent,
): string => {
  const style = createStyle(envelope)
  // Many programs remove the attributes of the document, so an element inside repeats them.
  const language = `lang="${envelope.language}" dir="${getDirection(envelope.language)}"`
  const table = 'table role="presentation" cellpadding="0" cellspacing="0"'
  return [
    '<!doctype html>',
    `<html ${language}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(heading)}</title>`,
    `<style>${createDarkRules(envelope)}</style></head>`,
    `<body class="page" style="margin:0;background:${style.background}"><div ${language}>`,
    `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>`,
    `<${table} class="page" width="100%" style="background:${style.background};color:${style.text};`,
    `font:16px/24px Helvetica,Arial,sans-serif"><tr><td align="center" style="padding:16px;${breakLongWords}">`,
    `<${table} class="card" width="600" style="width:100%;max-width:600px;background:${style.surface};border-radius:${Math.round(style.radius * 1.5)}px"><tr>`,
    `<td align="${style.start}" style="padding:24px 24px 8px">`,
    renderLogo(envelope, t),
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escapeHtml(heading)}</h1>`,
    ...blocks.map((block) => renderBlockAsHtml(block, t, style)),
    '</td></tr></table>',
    renderFooterAsHtml(envelope, t),
    '</td></tr></table></div></body></html>',
  ].join('\n')
}

/** The largest size of a logo in pixels. */
const maxHeight = 40
const maxWidth = 240

/** Email programs show images of no other types. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

const isShown = (logo: Logo | null): logo is Logo => logo !== null && shownTypes.includes(logo.contentType)

/**
 * Shows whose email it is: by the logo, or by the names of the organization and the product. A logo keeps a light ground in dark mode, because
 * dark logos could not be seen otherwise. Programs that know dark mode replace it by the logo for dark mode, if there is
 * one. Programs that load no images show the name.
 */
const renderLogo = (envelope: Envelope, t: TranslateEmail): string => {
  const owner = getOwnerName(envelope, t)
  const { logo, dark_logo } = envelope.branding
  if (!isShown(logo))
    return `<p class="faint" style="margin:0 0 24px;font-weight:bold">${escapeHtml(owner)}</p>`
  const light = 'border:0;padding:6px;margin:-6px;border-radius:6px;background:#ffffff;color:#1f2937'
  const images = isShown(dark_logo)
    ? [
        renderImage(envelope, owner, logo, `class="light-logo" style="display:block;${light}"`),
        renderImage(
          envelope,
          owner,
          dark_logo,
          'class="dark-logo" style="display:none;mso-hide:all;border:0"',
        ),
      ]
    : [renderImage(envelope, owner, logo, `style="display:block;${light}"`)]
  return `<p style="margin:0 0 24px;font-weight:bold">\n${images.join('\n')}</p>`
}

const renderImage = (envelope: Envelope, owner: string, logo: Logo, attributes: string): string => {
  const scale = Math.min(1, maxHeight / logo.height, maxWidth / logo.width)
  const [width, height] = [logo.width, logo.height].map((size) => Math.max(1, Math.round(size * scale)))
  return [
    `<img src="${escapeHtml(`${envelope.publicUrl}/logos/${logo.hash}`)}" width="${width}" height="${height}" alt="${escapeHtml(owner)}"`,
    ` ${attributes}>`,
  ].join('\n')
}

interface FooterLink {
  readonly label: ServiceText
  readonly url: string
}

/** The links for help and the legal texts of the product that are set. */
const listFooterLinks = (
  { branding, language }: Pick<Envelope, 'branding' | 'language'>,
  t: TranslateEmail,
): readonly FooterLink[] => {
  const { support_url, privacy_url, terms_url } = localizeBranding(branding, language)
  return [
    ...(support_url === null ? [] : [{ label: t('supportLink'), url: support_url }]),
    ...(privacy_url === null ? [] : [{ label: t('privacyLink'), url: privacy_url }]),
    ...(terms_url === null ? [] : [{ label: t('termsLink'), url: terms_url }]),
  ]
}

/** The text of the product for readers of this language, if it has one. */
const listFooterTexts = ({
  branding,
  language,
}: Pick<Envelope, 'branding' | 'language'>): readonly string[] => {
  const { footer } = localizeBranding(branding, language)
  return footer === null ? [] : [footer]
}

const renderFooterAsHtml = (envelope: Envelope, t: TranslateEmail): string => {
  const links = listFooterLinks(envelope, t).map(
    ({ label, url }) =>
      `<a href="${escapeHtml(url)}" style="color:inherit;text-decoration:underline">${escapeHtml(label)}</a>`,
  )
  const lines = [
    escapeHtml(`${getProductName(envelope)} · ${getHost(envelope)}`),
    ...(links.length === 0 ? [] : [links.join(' · ')]),
    ...listFooterTexts(envelope).map(escapeHtml),
  ]
  return `<p style="max-width:600px;margin:16px 0 0;font-size:13px;line-height:20px">${lines.join('<br>\n')}</p>`
}
