/** The languages of pages and emails, as ISO 639-1 codes. English comes first because it stands in for all others. */
export const languages = ['en', 'fr', 'de', 'nb', 'ja', 'es'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage: Language = 'en'

/** The name of each language in that language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  nb: 'Norsk bokmål',
  ja: '日本語',
  es: 'Español',
}

export const isLanguage = (text: string | null | undefined): text is Language =>
  languages.some((language) => language === text)

/** Languages that are written from right to left. Layouts and emails ask for the direction, so that one can be added. */
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

/** The value of the HTML attribute `dir` for text in this language. */
export const getDirection = (language: string): 'ltr' | 'rtl' => (rightToLeft.has(language) ? 'rtl' : 'ltr')
