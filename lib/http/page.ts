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
p > a { display: block; padding: .25rem 0; color: inherit }
[hidden] { display: none }
`

export interface Page {
  readonly html: string
  /** What lets a browser show it as it is meant, and run nothing but what is in it. */
  readonly headers: Readonly<Record<string, string>>
}

/** A text as it stands in HTML, within an element as well as within an attribute. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** A whole page. `content` is HTML; `script`, where there is one, is all that may run. */
export const setPage = (title: string, content: string, script?: string): Page => {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
${script === undefined ? '</main>' : `<noscript><p>This page needs JavaScript.</p></noscript>\n</main>\n<script type="module">${script}</script>`}
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    `style-src ${hashOf(style)}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html, headers: { 'content-security-policy': policy } }
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
