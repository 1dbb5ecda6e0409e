import type { Language } from '../../kernel/i18n/languages.ts'
import { isolate } from '../../kernel/i18n/languages.ts'
import { formatMessage, type Translate, type Translation } from '../../kernel/i18n/messages.ts'
import { en } from './messages/en.ts'
import { asServiceText, type ForeignText, type ServiceText } from './user-text.ts'

type EmailMessages = Translation<typeof en>

// A function loads only the languages that its readers use, and English, which stands in for all others.
const loaders: Readonly<Record<Exclude<Language, 'en'>, () => Promise<EmailMessages>>> = {
  fr: async () => (await import('./messages/fr.ts')).fr,
  de: async () => (await import('./messages/de.ts')).de,
  nb: async () => (await import('./messages/nb.ts')).nb,
  ja: async () => (await import('./messages/ja.ts')).ja,
  es: async () => (await import('./messages/es.ts')).es,
  it: async () => (await import('./messages/it.ts')).it,
  pt: async () => (await import('./messages/pt.ts')).pt,
  ar: async () => (await import('./messages/ar.ts')).ar,
  he: async () => (await import('./messages/he.ts')).he,
  nl: async () => (await import('./messages/nl.ts')).nl,
  pl: async () => (await import('./messages/pl.ts')).pl,
}
const loaded = new Map<Language, EmailMessages>([['en', en]])

type EmailValue = ServiceText | ForeignText | number

/**
 * Formats a text of emails. Text of others stands in the quotation marks of the language, so no message has marks around a placeholder.
 * The message `quoted` shows such a text alone.
 */
export type TranslateEmail = Translate<typeof en, EmailValue, ServiceText>

/** Loads the texts of emails in this language. Emails are rendered in loaded languages only. */
export const loadEmailMessages = async (language: Language): Promise<void> => {
  if (language !== 'en' && !loaded.has(language)) loaded.set(language, await loaders[language]())
}

/** Returns the function that formats the texts of emails in this language. */
export const createEmailTranslate = (language: Language): TranslateEmail => {
  const messages = loaded.get(language)
  if (!messages) throw new Error(`The texts of emails in the language ${language} are not loaded.`)
  const showForeign = ({ quotedLine }: ForeignText): string =>
    messages.quoted.replace('{text}', () => isolate(quotedLine, language))
  const show = (value: EmailValue) => (typeof value === 'object' ? { isolated: showForeign(value) } : value)
  return (name, ...[values]) => {
    const given: Readonly<Record<string, EmailValue>> = values ?? {}
    if (name === 'quoted') return asServiceText(showForeignAlone(given, showForeign))
    const shown = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, show(value)]))
    return asServiceText(formatMessage(language, messages[name], shown))
  }
}

/** The message `quoted` has one value, and is nothing but its quotation marks. */
const showForeignAlone = (
  { text }: Readonly<Record<string, EmailValue>>,
  showForeign: (value: ForeignText) => string,
): string => {
  if (typeof text !== 'object') throw new Error('Only text of others is quoted.')
  return showForeign(text)
}

/** Joins sentences to a paragraph. Japanese has no spaces between them. */
export const joinSentences = (language: Language, sentences: readonly ServiceText[]): ServiceText =>
  asServiceText(sentences.join(language === 'ja' ? '' : ' '))

/** Formats a time in epoch milliseconds. An email does not know the time zone of its reader, so it names UTC. */
export const formatUtc = (language: Language, ms: number): ServiceText =>
  asServiceText(
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }).format(ms),
  )
