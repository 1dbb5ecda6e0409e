import { isConsoleLanguage, type Language, languages } from '../../lib/kernel/i18n/languages.ts'
import type { PageMessages } from '../../web/messages/catalogues.ts'

const folder = new URL('../../web/messages/', import.meta.url)

export type PageMessagesByLanguage = Readonly<Record<Language, PageMessages>>

/** Reads the messages of all areas in their languages, by their parts. */
export const readCatalogues = async (): Promise<PageMessagesByLanguage> => {
  const read = async (language: Language) => {
    const areas = ['public', 'account', ...(isConsoleLanguage(language) ? ['console'] : [])]
    const files = areas.map((area) => import(new URL(`${area}/${language}.ts`, folder).href))
    return [language, Object.assign({}, ...(await Promise.all(files)).map((module) => module[language]))]
  }
  return Object.fromEntries(await Promise.all(languages.map(read)))
}
