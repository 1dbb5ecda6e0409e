import { isLanguage, type Language } from '../../lib/i18n/languages.ts'
import type { Email } from '../../lib/mail/email.ts'
import { loadEmailMessages } from '../../lib/mail/translate.ts'
import { exampleBranding, exampleLogo, exampleLogoImage, fetchBranding } from './brandings.ts'
import { emailPreviews } from './emails.ts'
import { brandingNames, renderPreviewPage } from './page.ts'

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
