import { getDirection } from '../../kernel/i18n/languages.ts'
import { escapeHtml } from '../../kernel/util/escape-html.ts'
import type { CornerRadius } from '../branding/brand.models.ts'
import { deriveBrandColors } from '../branding/brand-colors.ts'
import { breakLongWords, type Envelope } from './email.ts'
import { renderWordsAsHtml, renderWordsAsText, type WordsBlock } from './own-texts/words-block.ts'
import type { TranslateEmail } from './translate.ts'
import type { ServiceText } from './user-text.ts'

/** A part of an email. Text of the service is a paragraph, and never contains line breaks. */
export type Block =
  | ServiceText
  /** Text of the user on whose behalf the email is sent. It is set apart from text of the service. */
  | { readonly quote: Quote }
  | { readonly facts: readonly Fact[] }
  /** A code that people copy. */
  | { readonly code: string }
  /** The action of the email. Its URL is also shown as text, so that people can read and copy it. */
  | { readonly button: Button }
  /** Own words of administrators, with a markup of theirs. */
  | { readonly words: WordsBlock }

export interface Fact {
  readonly label: ServiceText
  readonly value: ServiceText
}

export interface Button {
  readonly label: ServiceText
  readonly url: string
}

export const renderBlockAsText = (block: Block, t: TranslateEmail): string => {
  if (typeof block === 'string') return block
  if ('words' in block) return renderWordsAsText(block.words)
  if ('quote' in block) return quoteAsText(block.quote)
  if ('facts' in block) return block.facts.map(({ label, value }) => t('fact', { label, value })).join('\n')
  return 'code' in block ? block.code : `${block.button.label}\n${block.button.url}`
}

export const renderBlockAsHtml = (block: Block, t: TranslateEmail, style: EmailStyle): string => {
  if (typeof block === 'string') return renderParagraph(block)
  if ('words' in block) return renderWordsAsHtml(block.words, style)
  if ('quote' in block) return quoteAsHtml(block.quote, style)
  if ('facts' in block) return renderFacts(block.facts, style)
  return 'code' in block ? renderCode(block.code, style) : renderButton(block.button, t, style)
}

const renderParagraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`

/** Labels stay on one line, because the values may break anywhere. */
const labelStyle = 'padding-bottom:4px;font-weight:normal;white-space:nowrap'

const renderFacts = (facts: readonly Fact[], { start, end, faint }: EmailStyle): string =>
  [
    '<table cellpadding="0" cellspacing="0" style="margin:0 0 12px;font:inherit">',
    ...facts.map(
      ({ label, value }) =>
        `<tr><th class="faint" scope="row" align="${start}" valign="top" style="${labelStyle};padding-${end}:16px;color:${faint}">` +
        `${escapeHtml(label)}</th><td style="padding:0 0 4px">${escapeHtml(value)}</td></tr>`,
    ),
    '</table>',
  ].join('\n')

/** Codes and addresses are written from left to right in every language. */
const renderCode = (code: string, { start }: EmailStyle): string =>
  `<p dir="ltr" align="${start}" style="margin:0 0 16px;font:bold 30px/40px Consolas,Menlo,monospace;letter-spacing:2px">${escapeHtml(code)}</p>`

const renderButton = ({ label, url }: Button, t: TranslateEmail, style: EmailStyle): string =>
  [
    '<table role="presentation" cellpadding="0" cellspacing="0" style="margin:24px 0"><tr>',
    `<td class="button" align="center" style="border-radius:${style.radius}px;background:${style.accent}">`,
    `<a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:${style.radius}px;`,
    `border:1px solid ${style.accentLine};color:${style.onAccent};text-decoration:none;font-weight:bold">${escapeHtml(label)}</a></td></tr></table>`,
    renderParagraph(t('buttonHint')),
    `<p class="faint" dir="ltr" align="${style.start}" style="margin:0 0 16px;font-size:13px;line-height:20px;word-break:break-all;color:${style.faint}">`,
    `${escapeHtml(url)}</p>`,
  ].join('\n')

/** Text of a user inside an email of the service. */
interface Quote {
  /** Says who wrote the text. */
  readonly intro: ServiceText
  readonly text: string
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Marks every line of the quote, so that no line looks like text of the service. */
const quoteAsText = ({ intro, text }: Quote): string =>
  [intro, '', ...text.split(lineBreak).map((line) => `> ${line}`)].join('\n')

/** Puts the quote into a frame and keeps its indentation. Line breaks are elements, because some programs need them. */
const quoteAsHtml = ({ intro, text }: Quote, { start, faint }: EmailStyle): string =>
  [
    `<p class="faint" style="margin:0 0 8px;font-size:13px;line-height:20px;color:${faint}">`,
    `${escapeHtml(intro)}</p>`,
    `<blockquote class="quote" dir="auto" style="margin:0 0 16px;padding:12px 16px;border-${start}:4px solid #9ca3af;`,
    // No white space between the text and the tags, because it would be visible.
    `background:#f3f4f6;white-space:pre-wrap;${breakLongWords}">${toHtmlLines(text)}</blockquote>`,
  ].join('\n')

const toHtmlLines = (text: string): string => text.split(lineBreak).map(escapeHtml).join('<br>')

/** The values of inline styles, which all email programs support. */
interface EmailStyle {
  /** The side on which lines start. Some programs do not know logical properties. */
  readonly start: 'left' | 'right'
  readonly end: 'left' | 'right'
  readonly background: string
  readonly surface: string
  readonly text: string
  readonly faint: string
  readonly accent: string
  /** The edge of the button, where its color is as light as the surface. */
  readonly accentLine: string
  /** The radius of buttons, in pixels. */
  readonly radius: number
  readonly onAccent: string
}

/** Text that is less important, on the surface of an email. */
const faintText = { light: '#4b5563', dark: '#9ca3af' }

const radii: Readonly<Record<CornerRadius, number>> = { none: 0, small: 3, medium: 6, large: 12 }

export const createStyle = ({ branding, language }: Pick<Envelope, 'branding' | 'language'>): EmailStyle => {
  const { light } = deriveBrandColors(branding)
  const isRightToLeft = getDirection(language) === 'rtl'
  return {
    start: isRightToLeft ? 'right' : 'left',
    end: isRightToLeft ? 'left' : 'right',
    background: light['--background'],
    surface: light['--surface'],
    text: light['--text'],
    faint: faintText.light,
    accent: light['--accent'],
    accentLine: light['--accent-line'],
    radius: radii[branding.corner_radius],
    onAccent: light['--on-accent'],
  }
}

/** The rules for the dark mode of email programs that support it. Others ignore them. */
export const createDarkRules = ({ branding }: Pick<Envelope, 'branding'>): string => {
  const { dark } = deriveBrandColors(branding)
  const rules = [
    `.page{background:${dark['--background']}!important;color:${dark['--text']}!important}`,
    `.card{background:${dark['--surface']}!important;color:${dark['--text']}!important}`,
    ...(branding.dark_logo ? ['.light-logo{display:none!important}.dark-logo{display:block!important}'] : []),
    `.faint{color:${faintText.dark}!important}`,
    `.quote{background:${dark['--background']}!important;border-color:${dark['--border']}!important}`,
    `.button{background:${dark['--accent']}!important;color:${dark['--on-accent']}!important;border-color:${dark['--accent-line']}!important}`,
  ]
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}`
}
