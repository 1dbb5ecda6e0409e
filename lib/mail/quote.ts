import { escapeHtml } from '../util/escape-html.ts'
import { breakLongWords } from './email.ts'
import type { EmailStyle } from './style.ts'

/** Text of a user inside an email of the service. */
export interface Quote {
  /** Says who wrote the text. */
  readonly intro: string
  readonly text: string
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Marks every line of the quote, so that no line looks like text of the service. */
export const quoteAsText = ({ intro, text }: Quote): string =>
  [intro, '', ...text.split(lineBreak).map((line) => `> ${line}`)].join('\n')

/** Puts the quote into a frame and keeps its indentation. Line breaks are elements, because some programs need them. */
export const quoteAsHtml = ({ intro, text }: Quote, { start, faint }: EmailStyle): string =>
  [
    `<p class="faint" style="margin:0 0 8px;font-size:13px;line-height:20px;color:${faint}">`,
    `${escapeHtml(intro)}</p>`,
    `<blockquote class="quote" dir="auto" style="margin:0 0 16px;padding:12px 16px;border-${start}:4px solid #9ca3af;`,
    // No white space between the text and the tags, because it would be visible.
    `background:#f3f4f6;white-space:pre-wrap;${breakLongWords}">${toHtmlLines(text)}</blockquote>`,
  ].join('\n')

const toHtmlLines = (text: string): string => text.split(lineBreak).map(escapeHtml).join('<br>')
