import {
  type Branding,
  defaultBranding,
  type Logo,
  type LogoKind,
} from '../../lib/features/branding/brand.models.ts'
import type { Branding as BrandingBody } from '../../lib/features/branding/models.ts'
import type { Email } from '../../lib/features/mail/email.ts'
import { loadEmailMessages } from '../../lib/features/mail/translate.ts'
import { isLanguage, type Language, languageNames, languages } from '../../lib/kernel/i18n/languages.ts'
import { escapeHtml } from '../../lib/kernel/util/escape-html.ts'
import { emailPreviews } from './emails.ts'

export const exampleLogo = { hash: 'example', contentType: 'image/png', width: 320, height: 80 }

/** A branding in which everything is set. The logo is dark, so previews show whether it can be seen in dark mode. */
export const exampleBranding: Branding = {
  product_name: 'Acme Media',
  logo: exampleLogo,
  dark_logo: null,
  icon: null,
  accent_color: '#b45309',
  background_color: '#fef3c7',
  corner_radius: 'medium',
  support_url: 'https://acme.example/help',
  privacy_url: 'https://acme.example/privacy',
  ...{ sender_name: null, reply_to: null },
  terms_url: 'https://acme.example/terms',
  texts: [
    {
      language: 'de',
      greeting: null,
      footer: 'Acme Media GmbH, Hauptstraße 1, Berlin',
      support_url: 'https://acme.example/hilfe',
    },
  ],
}

export const exampleLogoImage = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 80"><circle cx="40" cy="40" r="30" fill="#b45309"/>',
  '<text x="84" y="54" font-family="Helvetica,Arial,sans-serif" font-size="40" font-weight="bold" fill="#1f2937">',
  'Acme Media</text></svg>',
].join('')

const toLogo = (logo: BrandingBody['logo']): Logo | null =>
  logo && { ...exampleLogo, ...logo, hash: logo.url.replace(/^.*\//, '') }

/** Asks the service for its branding. Without an answer it is the default. */
export const fetchBranding = async (serviceUrl: string): Promise<Branding> => {
  const answer = await fetch(`${serviceUrl}/api/2/branding`).catch(() => undefined)
  if (!answer?.ok) return defaultBranding
  const branding = (await answer.json()) as Omit<Branding, LogoKind> & Pick<BrandingBody, LogoKind>
  return {
    ...branding,
    logo: toLogo(branding.logo),
    dark_logo: toLogo(branding.dark_logo),
    icon: toLogo(branding.icon),
  }
}

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

export interface PreviewAnswer {
  readonly contentType: string
  readonly body: string
}

const logoPath = '/previews/example-logo.svg'

/**
 * Answers requests for previews below `/previews`. Returns undefined for all others. Logos and links lead to the service
 * at `serviceUrl`, which also knows the branding.
 */
export const servePreview = async (
  target: string,
  serviceUrl: string,
): Promise<PreviewAnswer | undefined> => {
  const { pathname, searchParams } = new URL(target, serviceUrl)
  if (pathname === logoPath) return { contentType: 'image/svg+xml', body: exampleLogoImage }
  const given = (name: string) => searchParams.get(name) ?? ''
  const branding = Object.hasOwn(brandingNames, given('branding')) ? given('branding') : 'service'
  if (pathname === '/previews') {
    const name = given('email') || (emailPreviews[0]?.name ?? '')
    const language = given('language') || 'en'
    const email = await renderPreview({ name, language, branding, serviceUrl })
    return email && toHtml(renderPreviewPage({ name, language, branding }, email))
  }
  const [, name = '', language = '', format] =
    /^\/previews\/([\w-]+)\.(\w\w)\.(html|txt)$/.exec(pathname) ?? []
  const email = await renderPreview({ name, language, branding, serviceUrl })
  if (!email) return undefined
  if (format === 'txt') return { contentType: 'text/plain; charset=utf-8', body: email.text }
  return toHtml(applyScheme(email.html, given('scheme')))
}

const toHtml = (body: string): PreviewAnswer => ({ contentType: 'text/html; charset=utf-8', body })

interface PreviewRequest {
  readonly name: string
  readonly language: string
  readonly branding: string
  readonly serviceUrl: string
}

const renderPreview = async ({
  name,
  language,
  branding,
  serviceUrl,
}: PreviewRequest): Promise<Email | undefined> => {
  const preview = emailPreviews.find((candidate) => candidate.name === name)
  if (!preview || !isLanguage(language)) return undefined
  await loadEmailMessages(language)
  const isExample = branding === 'example'
  const email = preview.render({
    to: 'ada@example.com',
    language: language satisfies Language,
    branding: isExample ? exampleBranding : await fetchBranding(serviceUrl),
    publicUrl: serviceUrl,
  })
  return isExample
    ? { ...email, html: email.html.replaceAll(`${serviceUrl}/logos/${exampleLogo.hash}`, logoPath) }
    : email
}

/** Shows a scheme that differs from that of the browser. */
const applyScheme = (html: string, scheme: string): string => {
  if (scheme !== 'light' && scheme !== 'dark') return html
  const condition = scheme === 'dark' ? 'all' : 'not all'
  return html
    .replace('@media (prefers-color-scheme:dark)', `@media ${condition}`)
    .replace('color-scheme:light dark', `color-scheme:${scheme}`)
}
