import { readdirSync } from 'node:fs'
import { type Language, languages } from '../../lib/i18n/languages.ts'
import type { Translations } from '../../lib/i18n/messages.ts'
import type { Catalogues } from '../../web/messages/catalogues.ts'

const folder = new URL('../../web/messages/', import.meta.url)

/** Reads the messages of all areas in all languages, by their parts. */
export const readCatalogues = async (): Promise<Readonly<Record<Language, Translations<Catalogues>>>> => {
  const areas = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const read = async (language: Language) => {
    const files = areas.map(({ name }) => import(new URL(`${name}/${language}.ts`, folder).href))
    return [language, Object.assign({}, ...(await Promise.all(files)).map((module) => module[language]))]
  }
  return Object.fromEntries(await Promise.all(languages.map(read)))
}
