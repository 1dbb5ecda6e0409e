import type { Language } from '../../lib/i18n/languages.ts'
import { createTranslate, type Translate } from '../../lib/i18n/messages.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fr } from './messages/fr.ts'
import { ja } from './messages/ja.ts'
import { nb } from './messages/nb.ts'

const catalogues = { en, fr, de, nb, ja, es }

/** Returns the function that formats titles and the text without JavaScript. */
export const translateTitles = (language: Language): Translate<typeof en> =>
  createTranslate<typeof en>(language, catalogues[language])
