import type { Translations } from '../../lib/kernel/i18n/messages.ts'
import type { en as accountMessages } from './account/en.ts'
import type { en as consoleMessages } from './console/en.ts'
import type { en as publicMessages } from './public/en.ts'

/** The English messages of all parts. A part has its name in one area alone. */
export type Catalogues = PageCatalogues & ConsoleCatalogues

/** The parts that exist in all languages. */
type PageCatalogues = typeof publicMessages & typeof accountMessages

/** The parts that exist in the languages of the console. */
type ConsoleCatalogues = typeof consoleMessages

export type Part = keyof Catalogues

/** The messages of a language. */
export type PageMessages = Translations<PageCatalogues> & Partial<Translations<ConsoleCatalogues>>
