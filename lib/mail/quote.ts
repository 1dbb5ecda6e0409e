import { escapeHtml } from '../core/escape-html.ts'
import { breaking } from './mail.ts'

/** What somebody else says in a letter of ours. */
export interface Quote {
  readonly by: string
  readonly text: string
}

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** Marked on every line, so that no line of it can be taken for one of ours. */
export const quoteAsText = ({ by, text }: Quote): string =>
  [`${by} writes:`, '', ...text.split(lineBreak).map((line) => `> ${line}`)].join('\n')

/** In a frame of its own, indented as it was; the breaks are elements, since some mail programs know no other. */
export const quoteAsHtml = ({ by, text }: Quote): string =>
  [
    `<p class="faint" style="margin:0 0 8px;font-size:13px;line-height:20px;color:#4b5563;${breaking}">`,
    `${escapeHtml(`${by} writes:`)}</p>`,
    '<blockquote class="quote" dir="auto" style="margin:0 0 16px;padding:12px 16px;border-left:4px solid #9ca3af;',
    // Nothing between the words and the tags: it would be shown.
    `background:#f3f4f6;font-size:15px;line-height:24px;white-space:pre-wrap;${breaking}">${quoted(text)}</blockquote>`,
  ].join('\n')

const quoted = (text: string): string => text.split(lineBreak).map(escapeHtml).join('<br>')
