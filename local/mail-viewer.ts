import { escapeHtml } from '../lib/kernel/util/escape-html.ts'

/*
 * The pages that show sent emails. Emails contain names that other people chose, and anyone on this machine can send one to the
 * endpoint. So all of it is escaped, and the HTML of an email is in a frame without scripts and without an origin.
 */

/** An email as the endpoint lists it. */
interface SentEmail {
  readonly messageId: string
  readonly from: string
  readonly replyTo: readonly string[]
  readonly destination: Readonly<Record<'to' | 'cc' | 'bcc', readonly string[]>>
  readonly subject: string
  readonly body: { readonly html?: string; readonly text?: string }
  /** Epoch seconds. */
  readonly at: number
}

/** What the endpoint for emails knows. */
export interface SentEmails {
  readonly list: () => Promise<readonly SentEmail[]>
  /** The source of an email with all of its headers. */
  readonly readSource: (messageId: string) => Promise<string>
}

export interface ViewerAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'"
/** Links open new tabs, which are not limited. Images come from anywhere, as in other programs for email. */
const sandbox = 'allow-popups allow-popups-to-escape-sandbox'
const emailPolicy = `sandbox ${sandbox}; default-src 'none'; style-src 'unsafe-inline'; img-src http: https: data:; frame-ancestors 'self'`

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;--line:light-dark(#d1d5db,#374151);--soft:light-dark(#4b5563,#9ca3af)}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem;background:light-dark(#f3f4f6,#111827);color:light-dark(#1f2937,#f3f4f6)}
header,.views{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline}h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}
header nav{display:flex;gap:1.25rem;margin-inline-start:auto}a{color:light-dark(#1d4ed8,#93c5fd)}
a:focus-visible,pre:focus-visible,iframe:focus-visible{outline:3px solid;outline-offset:2px}
ul,.card{background:light-dark(#fff,#1f2937);border:1px solid var(--line);border-radius:.75rem;margin:1.25rem 0;padding:0;list-style:none}
li{display:flex;flex-wrap:wrap;gap:0 1.25rem;padding:.75rem 1rem;overflow-wrap:anywhere}li+li{border-block-start:1px solid var(--line)}
li a{flex:1 1 20rem;font-weight:600}.soft,dt{color:var(--soft)}.card{padding:1rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0}dd{margin:0;overflow-wrap:anywhere}
.views{margin-block:1rem}.views a{padding:.25rem 0}.views a[aria-current]{color:inherit;font-weight:700;text-decoration:none;border-block-end:3px solid}
iframe{display:block;width:100%;height:45rem;border:0;border-radius:.75rem}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9375rem}.empty{padding:2rem 1rem;text-align:center}`

const buildPage = (title: string, content: readonly string[], status = 200): ViewerAnswer => ({
  status,
  contentType: 'text/html; charset=utf-8',
  body: [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>`,
    ...content,
    '</body></html>',
  ].join('\n'),
  headers: { 'content-security-policy': pagePolicy },
})

const formatTime = (at: number): string => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')

const toAddress = ({ messageId }: SentEmail, view = 'html'): string =>
  escapeHtml(`/emails/${encodeURIComponent(messageId)}/${view}`)

const renderList = (emails: readonly SentEmail[]): ViewerAnswer =>
  buildPage('Sent emails', [
    '<header><h1>Sent emails</h1><nav aria-label="Pages"><a href="/">Refresh</a><a href="/previews">Previews of all emails</a></nav></header>',
    '<p class="soft">Emails are kept here until the service stops, and reach no one else. Times are in UTC.</p>',
    emails.length === 0
      ? '<p class="card empty">No email was sent yet. Invite someone, or reset a password.</p>'
      : `<ul>${emails.map(renderEntry).join('\n')}</ul>`,
  ])

const renderEntry = (email: SentEmail): string =>
  [
    `<li><a href="${toAddress(email)}" dir="auto">${escapeHtml(email.subject || '(no subject)')}</a>`,
    `<span>${escapeHtml(email.destination.to.join(', '))}</span>`,
    `<span class="soft">${formatTime(email.at)}</span></li>`,
  ].join(' ')

const views = [
  ['html', 'HTML'],
  ['text', 'Text'],
  ['source', 'Source and headers'],
] as const

const renderEmail = async (
  { readSource }: SentEmails,
  email: SentEmail,
  view: string,
): Promise<ViewerAnswer> => {
  const { from, replyTo, destination, subject, body, at, messageId } = email
  const facts = [
    ['From', from],
    ['To', destination.to.join(', ')],
    ['Cc', destination.cc.join(', ')],
    ['Bcc', destination.bcc.join(', ')],
    ['Reply-To', replyTo.join(', ')],
    ['Sent', `${formatTime(at)} UTC`],
  ].filter(([, value]) => value !== '')
  const renderBody = async (): Promise<string> => {
    if (view === 'source') return renderText(await readSource(messageId))
    if (view === 'text') return renderText(body.text ?? 'This email has no text.')
    if (!body.html) return '<p class="card">This email has no HTML. Look at its text.</p>'
    return `<iframe title="The email" sandbox="${sandbox}" src="${toAddress(email, 'frame')}"></iframe>`
  }
  return buildPage(subject, [
    '<header><nav aria-label="Pages"><a href="/">Sent emails</a></nav></header>',
    `<h1 dir="auto">${escapeHtml(subject || '(no subject)')}</h1><div class="card"><dl>`,
    ...facts.map(([name = '', value = '']) => `<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`),
    '</dl></div><nav class="views" aria-label="Views">',
    ...views.map(
      ([name, label]) =>
        `<a href="${toAddress(email, name)}"${name === view ? ' aria-current="page"' : ''}>${label}</a>`,
    ),
    `</nav><main>${await renderBody()}</main>`,
  ])
}

const renderText = (text: string): string =>
  `<pre class="card" dir="auto" tabindex="0">${escapeHtml(text)}</pre>`

/** The HTML of an email as it was sent. Its links open new tabs, because a link could not leave the frame. */
const buildFrame = (html: string): ViewerAnswer => ({
  status: 200,
  contentType: 'text/html; charset=utf-8',
  body: `<!doctype html><base target="_blank">${html.replace(/^\s*<!doctype[^>]*>/i, '')}`,
  headers: { 'content-security-policy': emailPolicy },
})

/** Answers the pages for sent emails: `/`, and those below `/emails`. Returns undefined for all others. */
export const serveMailViewer = async (
  target: string,
  sent: SentEmails,
): Promise<ViewerAnswer | undefined> => {
  const { pathname } = new URL(target, 'http://localhost')
  if (pathname === '/') return renderList([...(await sent.list())].reverse())
  const [, id, view = ''] = /^\/emails\/([^/]+)\/(html|text|source|frame)$/.exec(pathname) ?? []
  if (id === undefined) return undefined
  const email = (await sent.list()).find(({ messageId }) => encodeURIComponent(messageId) === id)
  if (!email) {
    const text = '<p class="card">This email does not exist. <a href="/">Sent emails</a></p>'
    return buildPage('Not found', [text], 404)
  }
  return view === 'frame' ? buildFrame(email.body.html ?? '') : renderEmail(sent, email, view)
}
