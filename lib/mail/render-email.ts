import { getDirection } from '../i18n/languages.ts'
import { escapeHtml } from '../util/escape-html.ts'
import { type Block, renderBlockAsHtml, renderBlockAsText } from './blocks.ts'
import { breakLongWords, type Email } from './email.ts'
import { type Envelope, getHost, getProductName } from './envelope.ts'
import { listFooterLinks, renderFooterAsHtml } from './footer.ts'
import { renderLogo } from './logo.ts'
import { createDarkRules, createStyle } from './style.ts'
import { createEmailTranslate, type TranslateEmail } from './translate.ts'

export interface EmailContent {
  readonly subject: string
  /** The heading, if it differs from the subject. It must not contain text that a user wrote. */
  readonly heading?: string
  /** What many email programs show beside the subject. */
  readonly preview: string
  /** The parts of the email, with at most one button. */
  readonly blocks: readonly Block[]
}

/** Renders an email. Tables and inline styles work in all email programs. Text and HTML have the same content. */
export const renderEmail = (envelope: Envelope, content: EmailContent): Email => {
  const t = createEmailTranslate(envelope.language)
  const { subject, heading = subject } = content
  return {
    to: envelope.to,
    subject,
    text: renderText(envelope, t, { ...content, heading }),
    html: renderHtml(envelope, t, { ...content, heading }),
  }
}

type FullContent = EmailContent & { readonly heading: string }

const renderText = (envelope: Envelope, t: TranslateEmail, { heading, blocks }: FullContent): string => {
  const footer = [
    `${getProductName(envelope)} · ${getHost(envelope)}`,
    ...listFooterLinks(envelope, t).map(({ label, url }) => t('fact', { label, value: url })),
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
    `<${table} class="card" width="600" style="width:100%;max-width:600px;background:${style.surface};border-radius:8px"><tr>`,
    `<td align="${style.start}" style="padding:24px 24px 8px">`,
    renderLogo(envelope),
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px">${escapeHtml(heading)}</h1>`,
    ...blocks.map((block) => renderBlockAsHtml(block, t, style)),
    '</td></tr></table>',
    renderFooterAsHtml(envelope, t),
    '</td></tr></table></div></body></html>',
  ].join('\n')
}
