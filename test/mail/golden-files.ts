import { type Branding, defaultBranding } from '../../lib/features/branding/brand.models.ts'
import type { Email } from '../../lib/features/mail/email.ts'
import { loadEmailMessages } from '../../lib/features/mail/translate.ts'
import { consoleLanguages, type Language } from '../../lib/kernel/i18n/languages.ts'
import { emailPreviews } from '../../local/previews/emails.ts'
import { exampleBranding } from '../../local/previews/serve.ts'

/** The folder of the files. */
export const goldenFolder = new URL('golden/', import.meta.url)

/** Emails that have every part of the layout. Their HTML is kept in two languages, with and without a branding. */
const completeEmails = ['password-reset', 'sign-in-code', 'access-link-with-message', 'notice-new-device']
const htmlBrandings: Partial<Record<Language, Branding>> = { de: exampleBranding, ja: defaultBranding }

/** One notice by the user, one by an administrator, one by the service, and one to administrators. All others differ in two sentences. */
const completeNotices = [
  'notice-new-device',
  'notice-password-set',
  'notice-sign-in-locked',
  'notice-administrator-added',
]
const isShortNotice = (name: string): boolean => name.startsWith('notice-') && !completeNotices.includes(name)

await Promise.all(consoleLanguages.map(loadEmailMessages))

/** The expected files by their names: each email in each language of the console as text, and some as HTML. */
export const renderGoldenFiles = (): ReadonlyMap<string, string> =>
  new Map(consoleLanguages.flatMap((language) => [...renderTexts(language), ...renderHtml(language)]))

type File = readonly [name: string, content: string]

const renderTexts = (language: Language): readonly File[] => {
  const notices: string[] = []
  const files: File[] = []
  for (const { name, render } of emailPreviews) {
    const email = render(createEnvelope(language, defaultBranding))
    if (isShortNotice(name)) notices.push(`[${name}]\n${formatStart(email)}`)
    else files.push([`${name}.${language}.txt`, `Subject: ${email.subject}\n\n${email.text}`])
  }
  return [...files, [`notices.${language}.txt`, notices.join('\n')]]
}

/** The subject and the first paragraph. */
const formatStart = ({ subject, text }: Email): string => `${subject}\n${text.split('\n\n')[1]}\n`

const renderHtml = (language: Language): readonly File[] => {
  const branding = htmlBrandings[language]
  if (!branding) return []
  return emailPreviews
    .filter(({ name }) => completeEmails.includes(name))
    .map(({ name, render }) => [
      `${name}.${language}.html`,
      `${render(createEnvelope(language, branding)).html}\n`,
    ])
}

const createEnvelope = (language: Language, branding: Branding) => ({
  ...{ to: 'ada@example.com', language, branding, publicUrl: 'https://auth.example.com' },
})
