import { IntlMessageFormat } from 'intl-messageformat'
import { isolate, type Language } from './languages.ts'

/**
 * Messages by their names. The English catalogue declares them `as const`, as ICU messages (ICU MessageFormat 1). The
 * placeholders of the English text decide which values a message needs.
 */
export type Catalogue = Readonly<Record<string, string>>

/** A catalogue in another language. A missing message does not compile, and neither does a surplus one. */
export type Translation<English extends Catalogue> = { readonly [Name in keyof English]: string }

/** Catalogues by the parts of the interface that show them, in another language. */
export type Translations<English extends Readonly<Record<string, Catalogue>>> = {
  readonly [Part in keyof English]: Translation<English[Part]>
}

/** Formats the message with this name. */
export type Translate<English extends Catalogue, Value = PlainValue, Result extends string = string> = <
  Name extends keyof English,
>(
  name: Name,
  ...values: Values<English[Name], Value>
) => Result

type PlainValue = string | number | Date

type Values<Text extends string, Value> = [Placeholder<Text>] extends [never]
  ? []
  : [values: { readonly [Name in Placeholder<Text>]: Value }]

/**
 * The names in braces. A brace after a plural category opens a branch. Other text in braces contains spaces, commas or
 * `#`, so a branch of a `select` needs at least two words.
 */
type Placeholder<Text extends string> = Text extends `${infer Before}{${infer Rest}`
  ? (Before extends `${string}${PluralCategory} ` ? never : NameOf<Rest>) | Placeholder<Rest>
  : never
type PluralCategory = '=0' | '=1' | 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type NameOf<Rest extends string> = Rest extends `${infer Inside}}${string}`
  ? Inside extends `${infer Name},${string}`
    ? Identifier<Name>
    : Identifier<Inside>
  : never
type Identifier<Text extends string> = Text extends '' | `${string}${' ' | '#' | '{' | '.'}${string}`
  ? never
  : Text

/** Returns the function that formats messages of this catalogue. */
export const createTranslate =
  <English extends Catalogue>(language: Language, messages: Translation<English>): Translate<English> =>
  (name, ...[values]) =>
    formatMessage(language, messages[name], values)

/** A text with its own marks of direction. */
interface IsolatedText {
  readonly isolated: string
}

type GivenValues = Readonly<Record<string, PlainValue | IsolatedText>>

const parsed = new Map<string, IntlMessageFormat>()

/** Formats an ICU message. */
export const formatMessage = (language: Language, text: string, values: GivenValues | undefined): string => {
  // Parsing is slow compared to everything else here. Most messages have no placeholders.
  if (!text.includes('{')) return text
  const key = `${language} ${text}`
  const format = parsed.get(key) ?? new IntlMessageFormat(text, language, undefined, { ignoreTag: true })
  parsed.set(key, format)
  return String(format.format(isolateTexts(values, language)))
}

/** Isolates texts, but no links: programs that find these in a text would take the marks for a part of a URL. */
const isolateTexts = (values: GivenValues = {}, language: Language): Readonly<Record<string, PlainValue>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value === 'object' && 'isolated' in value) return [name, value.isolated]
      return [name, typeof value === 'string' && !linkStart.test(value) ? isolate(value, language) : value]
    }),
  )

const linkStart = /^(https?|mailto):/
