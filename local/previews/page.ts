import { languageNames, languages } from '../../lib/i18n/languages.ts'
import type { Email } from '../../lib/mail/email.ts'
import { escapeHtml } from '../../lib/util/escape-html.ts'
import { emailPreviews } from './emails.ts'

/** The preview that a page shows. */
export interface PreviewChoice {
  readonly name: string
  readonly language: string
  readonly branding: string
}

export const brandingNames = { service: 'of the service', example: 'example' }

const style = [
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0;display:flex;flex-wrap:wrap}',
  'nav{padding:16px;flex:0 0 240px}main{padding:16px;flex:1 1 400px;min-width:0}ul{margin:0;padding:0;list-style:none}',
  'a[aria-current]{font-weight:bold;text-decoration:none}.choices a{margin-inline-end:12px}h2{font-size:16px}',
  '.emails{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(340px,1fr))}',
  'iframe{width:100%;height:840px;border:1px solid #6b7280}pre{white-space:pre-wrap;overflow-wrap:anywhere}',
].join('')

/** Shows an email in the light and the dark scheme, as HTML and as text, and leads to all others. */
export const renderPreviewPage = (choice: PreviewChoice, { subject, text }: Email): string => {
  const link = (changes: Partial<PreviewChoice>, label: string): string => {
    const next = { ...choice, ...changes }
    const isCurrent = Object.entries(changes).every(([key, value]) => Object(choice)[key] === value)
    const query = new URLSearchParams({ email: next.name, language: next.language, branding: next.branding })
    return `<a href="/previews?${escapeHtml(query.toString())}"${isCurrent ? ' aria-current="true"' : ''}>${escapeHtml(label)}</a>`
  }
  const frame = (scheme: string): string => {
    const query = new URLSearchParams({ scheme, branding: choice.branding })
    const src = `/previews/${choice.name}.${choice.language}.html?${query}`
    return `<section><h2>${scheme}</h2><iframe title="${scheme}" src="${escapeHtml(src)}"></iframe></section>`
  }
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(choice.name)} – email previews</title><style>${style}</style></head><body>`,
    '<nav aria-label="Emails"><p><a href="/">Sent emails</a></p><ul>',
    ...emailPreviews.map(({ name }) => `<li>${link({ name }, name)}</li>`),
    '</ul></nav><main>',
    `<h1 lang="${choice.language}" dir="auto">${escapeHtml(subject)}</h1>`,
    `<p class="choices">Language: ${languages.map((language) => link({ language }, languageNames[language])).join(' ')}</p>`,
    `<p class="choices">Branding: ${Object.entries(brandingNames)
      .map(([branding, label]) => link({ branding }, label))
      .join(' ')}</p>`,
    `<div class="emails">${frame('light')}${frame('dark')}<section><h2>text</h2>`,
    `<pre lang="${choice.language}" dir="auto">${escapeHtml(text)}</pre></section></div></main></body></html>`,
  ].join('\n')
}
