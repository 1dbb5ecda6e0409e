import { escapeHtml } from '../core/escape-html.ts'
import { breakLongWords, type Email } from './email.ts'
import { type Quote, quoteAsHtml, quoteAsText } from './quote.ts'

interface EmailButton {
  readonly label: string
  readonly url: string
}

export interface EmailContent {
  readonly to: string
  readonly subject: string
  /** The heading, if it differs from the subject. It must not contain text that a user wrote. */
  readonly heading?: string
  /** Paragraphs before the button, as plain text. */
  readonly before: readonly string[]
  /** Text of the user on whose behalf the email is sent. It is set apart from text of the service. */
  readonly quote?: Quote | undefined
  readonly button?: EmailButton | undefined
  /** Paragraphs after the button. */
  readonly after: readonly string[]
}

/** Keeps text readable in the dark mode of email programs that support it. Others ignore these rules. */
const darkStyle = [
  ':root{color-scheme:light dark}@media (prefers-color-scheme:dark){',
  '.page{background:#111827!important;color:#e5e7eb!important}.card{background:#1f2937!important}',
  '.faint{color:#9ca3af!important}.quote{background:#111827!important;border-color:#6b7280!important}}',
].join('')

/**
 * Renders an email with at most one action. It uses tables and inline styles, which all email programs support. The URL of the
 * button is also shown as text, so that people can read and copy it.
 */
export const renderEmail = (content: EmailContent): Email => {
  const { to, subject, heading = subject, before, quote, button, after } = content
  const intro = content.heading === undefined ? [] : [heading]
  const quoted = quote ? [quoteAsText(quote)] : []
  return {
    to,
    subject,
    text: `${[...intro, ...before, ...quoted, ...(button ? [button.url] : []), ...after].join('\n\n')}\n`,
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
      `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;${breakLongWords}">${escapeHtml(heading)}</h1>`,
      ...before.map(renderParagraph),
      ...(quote ? [quoteAsHtml(quote)] : []),
      ...(button ? renderButton(button) : []),
      ...after.map(renderParagraph),
      '</td></tr></table></td></tr></table></body></html>',
    ].join('\n'),
  }
}

const renderParagraph = (text: string): string =>
  `<p style="margin:0 0 16px;font-size:15px;line-height:24px;${breakLongWords}">${escapeHtml(text)}</p>`

const renderButton = ({ label, url }: EmailButton): string[] => [
  '<p style="margin:24px 0">',
  `<a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;`,
  `background:#1d4ed8;color:#ffffff;text-decoration:none;font-weight:bold">${escapeHtml(label)}</a></p>`,
  renderParagraph('If the button does not work, copy this address into your browser:'),
  '<p class="faint" style="margin:0 0 16px;font-size:13px;line-height:20px;word-break:break-all;color:#4b5563">',
  `${escapeHtml(url)}</p>`,
]
