import { chooseLanguage, isLanguage, type Language, type LanguageHints } from '../kernel/i18n/languages.ts'
import type { Config } from '../kernel/settings/config.ts'
import { escapeHtml } from '../kernel/util/escape-html.ts'
import { isSecure, readCookie } from './cookies.ts'
import { getHeader, type HttpEvent } from './http-types.ts'

/** A page for people in a browser. */
export interface Page {
  readonly html: string
  /** The content security policy: the browser runs nothing but the scripts and styles of this page. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Fills an HTML template with texts, which never become markup. `{{name}}` stands for a text, and
 * `{{#name}}…{{/name}}` for a part that is left out if there is no such text, as in Mustache templates. Parts can contain others.
 */
export const fillTemplate = (html: string, texts: TemplateTexts): string =>
  html.replaceAll(/\{\{#(\w+)\}\}(.*?)\{\{\/\1\}\}|\{\{(\w+)\}\}/gs, (_, section, part, name) => {
    if (name !== undefined) return escapeHtml(showText(texts[name]))
    const value = texts[section]
    if (value === undefined) return ''
    return typeof value === 'string'
      ? fillTemplate(part, texts)
      : value.map((entry) => fillTemplate(part, { ...texts, ...entry })).join('')
  })

/** The texts of a template. A list repeats its part, with the texts of each entry. */
export interface TemplateTexts {
  readonly [name: string]: string | readonly Readonly<Record<string, string>>[] | undefined
}

const showText = (value: TemplateTexts[string]): string => (typeof value === 'string' ? value : '')

/** The query parameter with the language that a person chooses on a page. Scripts of the pages use the same name. */
const languageParameter = 'language'

/** The cookie with the language that was chosen in this browser. It gives no access. */
const languageCookie = 'language'
const languageCookieSeconds = 365 * 24 * 60 * 60

interface PageRequest extends Pick<LanguageHints, 'userLanguage' | 'acceptLanguage'> {
  readonly query: Readonly<Record<string, unknown>>
  /** The cookies, each as `name=value`. */
  readonly cookies: readonly string[]
}

/** Chooses the language of a page. What the person just chose on the page counts first. */
export const choosePageLanguage = ({ query, cookies, ...hints }: PageRequest): Language => {
  const uiLocales = query['ui_locales']
  return (
    readChosenLanguage(query) ??
    chooseLanguage({
      ...hints,
      uiLocales: typeof uiLocales === 'string' ? uiLocales : undefined,
      browserChoice: isChoiceWithdrawn(query) ? undefined : readCookie(cookies, languageCookie),
    })
  )
}

/** The same for a request whose operation or user is not known. */
export const choosePageLanguageOf = (event: HttpEvent): Language =>
  choosePageLanguage({
    query: event.queryStringParameters ?? {},
    cookies: event.cookies ?? [],
    acceptLanguage: getHeader(event, 'accept-language'),
  })

const readChosenLanguage = (query: PageRequest['query']): Language | undefined => {
  const chosen = query[languageParameter]
  return typeof chosen === 'string' && isLanguage(chosen) ? chosen : undefined
}

/** Whether the person just chose to see pages in the language of their browser. */
const isChoiceWithdrawn = (query: PageRequest['query']): boolean => query[languageParameter] === ''

/** The `Set-Cookie` values that keep the choice of the person in their browser, or remove it. */
export const keepChosenLanguage = (
  config: Pick<Config, 'publicUrl'>,
  query: PageRequest['query'],
): readonly string[] => {
  const build = (value: string, maxAgeSeconds: number): string =>
    `${languageCookie}=${value}; ${isSecure(config) ? 'Secure; ' : ''}SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`
  if (isChoiceWithdrawn(query)) return [build('', 0)]
  const chosen = readChosenLanguage(query)
  return chosen ? [build(chosen, languageCookieSeconds)] : []
}
