/** The languages of the console, as ISO 639-1 codes. English comes first because it stands in for all others. */
export const consoleLanguages = ['en', 'fr', 'de', 'nb', 'ja', 'es'] as const
export type ConsoleLanguage = (typeof consoleLanguages)[number]

/** The languages of the public pages, the account page and emails. */
export const languages = [...consoleLanguages, 'it', 'pt', 'ar', 'he', 'nl', 'pl'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage: ConsoleLanguage = 'en'

/** What published clients know as the language of a user. They fail if they read any other value. */
export const publishedLanguages = ['', 'en', 'fr', 'de', 'nb', 'ja', 'es', 'xx'] as const
export type PublishedLanguage = (typeof publishedLanguages)[number]

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  nb: 'Norsk bokmål',
  ja: '日本語',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  ar: 'العربية',
  he: 'עברית',
  nl: 'Nederlands',
  pl: 'Polski',
}

export const isLanguage = (text: string | null | undefined): text is Language =>
  languages.some((language) => language === text)

export const isConsoleLanguage = (language: Language): language is ConsoleLanguage =>
  consoleLanguages.some((known) => known === language)

export const isPublishedLanguage = (text: string | null): text is PublishedLanguage | null =>
  text === null || publishedLanguages.some((language) => language === text)

/** Languages that are written from right to left. */
const rightToLeft: ReadonlySet<Language> = new Set(['ar', 'he'])

/** The value of the HTML attribute `dir` for text in this language. */
export const getDirection = (language: Language): 'ltr' | 'rtl' => (rightToLeft.has(language) ? 'rtl' : 'ltr')

/** A name or address inside a text from right to left keeps its own direction, and the order of the words around it. */
export const isolate = (name: string, language: Language): string =>
  getDirection(language) === 'rtl' ? `\u2068${name}\u2069` : name
