import type { Language } from '../../lib/i18n/languages.ts'
import { type Catalogue, createTranslate, type Translate, type Translation } from '../../lib/i18n/messages.ts'
import { pageData } from './page-data.ts'

/** The messages of one part of the pages. */
export interface MessageArea<English extends Catalogue> {
  /** Loads the messages of the page's language. A page waits for it before it shows anything. */
  readonly load: () => Promise<void>
  readonly t: Translate<English>
  /** The names of all messages, in the order of the catalogue. Empty until they are loaded. */
  readonly names: () => readonly string[]
}

/**
 * Declares the messages of a part of the pages, by a function for each language that imports them. Only the language of the
 * page is loaded.
 */
export const defineMessages = <English extends Catalogue>(
  loaders: Readonly<Record<Language, () => Promise<Translation<English>>>>,
): MessageArea<English> => {
  let translate: Translate<English> | undefined
  let names: readonly string[] = []
  return {
    load: async () => {
      const { language } = pageData
      const messages = await loaders[language]()
      names = Object.keys(messages)
      translate = createTranslate<English>(language, messages)
    },
    t: (name, ...values) => {
      if (!translate) throw new Error('The messages of this part of the page are not loaded.')
      return translate(name, ...values)
    },
    names: () => names,
  }
}
