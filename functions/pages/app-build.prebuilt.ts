import { writeClient } from '../../build/client/write-client.ts'
import { buildApp } from '../../build/pages/build-app.ts'
import { readCatalogues } from '../../build/pages/read-catalogues.ts'

await writeClient()
const catalogues = await readCatalogues()

/** All pages that run scripts, with their shared chunks and their messages. */
export const app = buildApp(catalogues)

/** The titles of the pages in each language, and the text without JavaScript. */
export const titles = {
  en: catalogues.en.titles,
  fr: catalogues.fr.titles,
  de: catalogues.de.titles,
  nb: catalogues.nb.titles,
  ja: catalogues.ja.titles,
  es: catalogues.es.titles,
}
