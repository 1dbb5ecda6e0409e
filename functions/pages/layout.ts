import { createHash } from 'node:crypto'

const style = `
:root { color-scheme: light dark; --ink: #1f2937; --paper: #fff; --back: #f3f4f6; --line: #9ca3af; --act: #1d4ed8 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e7eb; --paper: #1f2937; --back: #111827; --line: #6b7280; --act: #2563eb }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { width: min(24rem, calc(100vw - 2rem)); margin: 2rem 0; padding: 2rem; background: var(--paper); border-radius: .5rem }
h1 { margin: 0 0 1rem; font-size: 1.375rem }
form { display: grid; gap: 1rem }
label { display: grid; gap: .25rem; font-weight: 600 }
input { font: inherit; padding: .5rem .75rem; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .375rem }
button { font: inherit; font-weight: 600; padding: .625rem 1rem; border: 0; border-radius: .375rem; background: var(--act); color: #fff; cursor: pointer }
button.quiet { background: none; color: inherit; text-decoration: underline; font-weight: 400; padding: .25rem }
button:disabled { opacity: .6; cursor: default }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
[role=alert]:empty, [role=status]:empty { display: none }
[role=alert], [role=status] { margin: 0; padding: .75rem; border-radius: .375rem; border: 1px solid var(--line) }
ul { margin: 0; padding-left: 1.25rem }
[hidden] { display: none }
`

/** What both scripts need: a call to our own API, and a place to say how it went. */
const shared = `
const byId = (id) => document.getElementById(id)
const call = async (method, path, body, bearer) => {
  const response = await fetch(path, {
    method,
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(bearer ? { Authorization: 'Bearer ' + bearer } : {}),
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  return { ok: response.ok, status: response.status, body: text ? JSON.parse(text) : {} }
}
const sentences = ({ body }) => body.errors && body.errors.length
  ? body.errors.map(({ field, message }) => message.startsWith('The ') ? message : field + ' ' + message)
  : [body.detail || 'That did not work. Try again.']
const say = (place, texts) => {
  const box = byId(place)
  box.replaceChildren()
  if (texts.length === 1) box.textContent = texts[0]
  else if (texts.length > 1) {
    const list = document.createElement('ul')
    for (const text of texts) list.append(Object.assign(document.createElement('li'), { textContent: text }))
    box.append(list)
  }
}
const whileBusy = async (form, work) => {
  const buttons = [...form.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  try { await work() } catch { say('problem', ['The service can’t be reached. Try again in a moment.']) }
  finally { for (const button of buttons) button.disabled = false }
}
`

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

export interface Page {
  readonly html: string
  readonly headers: Readonly<Record<string, string>>
}

/** A whole page, and the header that lets the browser run this script and this style and nothing else. */
export const setPage = (title: string, content: string, ownScript: string): Page => {
  const script = shared + ownScript
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script type="module">${script}</script>
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html, headers: { 'content-security-policy': policy } }
}
