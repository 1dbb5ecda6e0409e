import type { en as accountMessages } from './account/en.ts'
import type { en as consoleMessages } from './console/en.ts'
import type { en as publicMessages } from './public/en.ts'

/** The English messages of all parts. A part has its name in one area alone. */
export type Catalogues = typeof publicMessages & typeof accountMessages & typeof consoleMessages

export type Part = keyof Catalogues
