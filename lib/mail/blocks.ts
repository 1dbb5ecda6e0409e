import { escapeHtml } from '../util/escape-html.ts'
import { breakLongWords } from './email.ts'
import type { EmailStyle } from './style.ts'
import type { TranslateEmail } from './translate.ts'

/** A part of an email. Text of the service is a paragraph, and never contains line breaks. */
export type Block =
  | string
  /** Text of the user on whose behalf the email is sent. It is set apart from text of the service. */
  | { readonly quote: Quote }
  | { readonly facts: readonly Fact[] }
  /** A code that people copy. */
  | { readonly code: string }
  /** The action of the email. Its URL is also shown as text, so that people can read and copy it. */
  | { readonly button: Button }

export interface Fact {
  readonly label: string
  readonly value: string
}

export interface Button {
  readonly label: string
  readonly url: string
}

export const renderBlockAsText = (block: Block, t: TranslateEmail): string => {
  if (typeof block === 'string') return block
  if ('quote' in block) return quoteAsText(block.quote)
  if ('facts' in block) return block.facts.map(({ label, value }) => t('fact', { label, value })).join('\n')
  return 'code' in block ? block.code : `${block.button.label}\n${block.button.url}`
}

export const renderBlockAsHtml = (block: Block, t: TranslateEmail, style: EmailStyle): string => {
  if (typeof block === 'string') return renderParagraph(block)
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
  readonly intro: string
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
