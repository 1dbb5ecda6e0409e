import { createHash } from 'node:crypto'

const style = `
:root { color-scheme: light dark; --ink: #1f2937; --paper: #fff; --back: #f3f4f6; --line: #6b7280; --act: #1d4ed8;
  --ring: #1d4ed8; --fault: #b91c1c; --fault-back: #fef2f2 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e5e7eb; --paper: #1f2937; --back: #111827; --line: #9ca3af; --act: #2563eb;
    --ring: #93c5fd; --fault: #f87171; --fault-back: #451a1a }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; width: min(24rem, calc(100vw - 2rem)); margin: 2rem 0;
  padding: 2rem; background: var(--paper); border-radius: .5rem; overflow-wrap: anywhere }
main > div { display: grid; gap: .25rem }
h1, p { margin: 0 }
h1 { font-size: 1.375rem; line-height: 1.3 }
h1:focus { outline: none }
form { display: grid; gap: 1rem }
label { display: grid; gap: .25rem; font-weight: 600 }
label.check { display: flex; align-items: center; gap: .5rem; width: fit-content; font-weight: 400 }
input { font: inherit; font-weight: 400; min-width: 0; padding: .5rem .75rem; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: .375rem }
label.check input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--act) }
button { font: inherit; font-weight: 600; padding: .625rem 1rem; border: 0; border-radius: .375rem; background: var(--act); color: #fff; cursor: pointer }
button.quiet { background: none; color: inherit; text-decoration: underline; font-weight: 400; padding: .25rem }
button:disabled { opacity: .6; cursor: default }
small { font-size: .875rem }
:focus-visible { outline: 3px solid var(--ring); outline-offset: 2px }
[role=alert]:empty, [role=status]:empty { display: none }
[role=alert], [role=status], .message { padding: .75rem; border-radius: .375rem; border: 1px solid var(--line) }
[role=alert] { background: var(--fault-back); border-color: var(--fault); border-left-width: .375rem }
ul { margin: 0; padding-left: 1.25rem }
p > a { display: block; padding: .25rem 0; color: inherit }
[hidden] { display: none }
`

/** Nothing of a page that runs by its script is of use without: a form would send what was typed to nobody. */
const styleWithoutScript = 'form, [role=status], [role=alert] { display: none }'

const needsScript =
  '<noscript><p class="message">This page needs JavaScript. Turn it on in your browser, then load the page again.</p></noscript>'

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

/** A whole page. `content` is HTML; `script`, where there is one, is all that may run, and without it the page says so. */
export const setPage = (title: string, content: string, script?: string): Page => {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>${script === undefined ? '' : `\n<noscript><style>${styleWithoutScript}</style></noscript>`}
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>${script === undefined ? '' : `\n${needsScript}`}
${content}
</main>${script === undefined ? '' : `\n<script type="module">${script}</script>`}
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`, "connect-src 'self'"]),
    `style-src ${hashOf(style)}${script === undefined ? '' : ` ${hashOf(styleWithoutScript)}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { html, headers: { 'content-security-policy': policy } }
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
