import { writeClient } from '../../../build/client/write-client.ts'
import { buildApp } from '../../../build/pages/build-app.ts'
import { readCatalogues } from '../../../build/pages/read-catalogues.ts'
import type { Catalogues } from '../../../web/messages/catalogues.ts'
import { type Language, languages } from '../../kernel/i18n/languages.ts'
import type { Translation } from '../../kernel/i18n/messages.ts'

await writeClient()
const catalogues = await readCatalogues()

/** All pages that run scripts, with their shared chunks and their messages. */
export const app = buildApp(catalogues)

/** What the service says itself on each page, in each language: the titles, and the texts before or without its scripts. */
export const texts = Object.fromEntries(
  languages.map((language) => [language, { ...catalogues[language].titles, ...catalogues[language].start }]),
) as Readonly<Record<Language, Translation<Catalogues['titles'] & Catalogues['start']>>>
