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
  (languages as readonly unknown[]).includes(text)

export const isConsoleLanguage = (language: Language): language is ConsoleLanguage =>
  (consoleLanguages as readonly unknown[]).includes(language)

export const isPublishedLanguage = (text: string | null): text is PublishedLanguage | null =>
  text === null || (publishedLanguages as readonly unknown[]).includes(text)

/** Languages that are written from right to left. */
const rightToLeft: ReadonlySet<Language> = new Set(['ar', 'he'])

/** The value of the HTML attribute `dir` for text in this language. */
export const getDirection = (language: Language): 'ltr' | 'rtl' => (rightToLeft.has(language) ? 'rtl' : 'ltr')

/** A name or address inside a text from right to left keeps its own direction, and the order of the words around it. */
export const isolate = (name: string, language: Language): string =>
  getDirection(language) === 'rtl' ? `\u2068${name}\u2069` : name

/** What is known about the languages of a person, the most important first. */
export interface LanguageHints {
  /** Language tags, separated by spaces (OpenID Connect Core 1.0, section 3.1.2.1). */
  readonly uiLocales?: string | undefined
  /** The language that the user chose in their profile. */
  readonly userLanguage?: string | null | undefined
  /** The language that was chosen in this browser. */
  readonly browserChoice?: string | undefined
  /** The header of the request (RFC 9110 12.5.4). */
  readonly acceptLanguage?: string | undefined
}

/** Other codes of the languages: Norwegian in general, the written standard close to Bokmål, and the old code of Hebrew. */
const otherCodes = new Map<string, Language>(Object.entries({ no: 'nb', nn: 'nb', iw: 'he' }))

/** Chooses the language of a page or an email. Languages that do not exist here are skipped. */
export const chooseLanguage = (hints: LanguageHints): Language => findLanguage(hints) ?? defaultLanguage

/** Returns undefined if no hint names a language that exists here. */
export const findLanguage = ({
  uiLocales = '',
  userLanguage,
  browserChoice,
  acceptLanguage = '',
}: LanguageHints): Language | undefined =>
  findFirst(uiLocales.split(' ')) ??
  findFirst([userLanguage ?? '', browserChoice ?? '']) ??
  findFirst(sortByQuality(acceptLanguage))

const findFirst = (tags: readonly string[]): Language | undefined => {
  for (const tag of tags) {
    const code = tag.split('-')[0]?.toLowerCase() ?? ''
    const language = isLanguage(code) ? code : otherCodes.get(code)
    if (language) return language
  }
  return undefined
}

/** Returns the tags of the header, the preferred ones first. A quality of 0 means that the language is not wanted. */
const sortByQuality = (header: string): readonly string[] =>
  header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { tag, quality: given === undefined ? 1 : Number(given) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)

/** The folder of the scripts of a page in its language. The version of all messages is in its name, so browsers keep what is in it. */
export const nameScriptFolder = (language: string, messagesVersion: string): string =>
  `${language}-${messagesVersion}`

/** The script with the messages of a part of the pages, in the folder of a language. */
export const nameMessageFile = (part: string): string => `messages-${part}.js`
