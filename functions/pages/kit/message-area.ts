import type { Language } from '../../../lib/i18n/languages.ts'
import {
  type Catalogue,
  createTranslate,
  type Translate,
  type Translation,
} from '../../../lib/i18n/messages.ts'
import { pageData } from './page-data.ts'

/** The messages of one part of the pages. */
export interface MessageArea<English extends Catalogue> {
  /** Loads the messages of the page's language. A page waits for it before it shows anything. */
  readonly load: () => Promise<void>
  readonly t: Translate<English>
}

/**
 * Declares the messages of a part of the pages, by a function for each language that imports them. Only the language of the
 * page is loaded.
 */
export const defineMessages = <English extends Catalogue>(
  loaders: Readonly<Record<Language, () => Promise<Translation<English>>>>,
): MessageArea<English> => {
  let translate: Translate<English> | undefined
  return {
    load: async () => {
      const { language } = pageData
      translate = createTranslate<English>(language, await loaders[language]())
    },
    t: (name, ...values) => {
      if (!translate) throw new Error('The messages of this part of the page are not loaded.')
      return translate(name, ...values)
    },
  }
}
