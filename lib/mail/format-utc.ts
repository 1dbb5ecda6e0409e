import type { Language } from '../i18n/languages.ts'

/** Formats a time in epoch milliseconds. An email does not know the time zone of its reader, so it names UTC. */
export const formatUtc = (language: Language, ms: number): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...{ year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' },
    ...{ timeZone: 'UTC', timeZoneName: 'short' },
  }).format(ms)
