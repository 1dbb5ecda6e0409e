import { defaultLanguage, isLanguage, type Language } from './languages.ts'

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
