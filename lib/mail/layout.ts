import { escapeHtml } from '../core/escape-html.ts'
import { breaking, type Mail } from './mail.ts'
import { type Quote, quoteAsHtml, quoteAsText } from './quote.ts'

export interface EmailContent {
  readonly to: string
  readonly subject: string
  /** What stands on top where that isn't the subject: in a place of ours, nobody else's words. */
  readonly heading?: string
  /** Paragraphs before the button, as plain text. */
  readonly before: readonly string[]
  /** The words of whoever had it sent, set off from ours. */
  readonly quote?: Quote | undefined
  readonly button: { readonly label: string; readonly url: string }
  /** Paragraphs after it. */
  readonly after: readonly string[]
}

/** For mail programs that know it, and shown by no other: in the dark, too, words stand out from what is behind them. */
const darkStyle = [
  ':root{color-scheme:light dark}@media (prefers-color-scheme:dark){',
  '.page{background:#111827!important;color:#e5e7eb!important}.card{background:#1f2937!important}',
  '.faint{color:#9ca3af!important}.quote{background:#111827!important;border-color:#6b7280!important}}',
].join('')

/**
 * Sets a letter with one thing to do. Tables and inline styles, since that is what mail clients agree on; the
 * address of the button also stands there to read and to copy.
 */
export const renderEmail = (letter: EmailContent): Mail => {
  const { to, subject, heading = subject, before, quote, button, after } = letter
  const top = letter.heading === undefined ? [] : [heading]
  const quoted = quote ? [quoteAsText(quote)] : []
  return {
    to,
    subject,
    text: `${[...top, ...before, ...quoted, button.url, ...after].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      `<title>${escapeHtml(heading)}</title>`,
      `<style>${darkStyle}</style></head>`,
      '<body class="page" style="margin:0;padding:24px;background:#f3f4f6;font-family:Helvetica,Arial,sans-serif;color:#1f2937">',
      '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">',
      '<table role="presentation" width="100%" cellpadding="0" cellspacing="0"',
      ' class="card" style="max-width:520px;background:#ffffff;border-radius:8px"><tr><td align="left" style="padding:32px">',
      `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;${breaking}">${escapeHtml(heading)}</h1>`,
      ...before.map(paragraph),
      ...(quote ? [quoteAsHtml(quote)] : []),
      '<p style="margin:24px 0">',
      `<a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;`,
      `background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:bold">${escapeHtml(button.label)}</a></p>`,
      paragraph('If the button does not work, copy this address into your browser:'),
      '<p class="faint" style="margin:0 0 16px;font-size:13px;line-height:20px;word-break:break-all;color:#4b5563">',
      `${escapeHtml(button.url)}</p>`,
      ...after.map(paragraph),
      '</td></tr></table></td></tr></table></body></html>',
    ].join('\n'),
  }
}

const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px;font-size:15px;line-height:24px;${breaking}">${escapeHtml(text)}</p>`
