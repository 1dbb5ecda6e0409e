import type { APITexts } from '../../lib/client/generated/models.ts'
import { languages, nameMessageFile } from '../../lib/kernel/i18n/languages.ts'
import { createTranslate, type Translate, type Translation } from '../../lib/kernel/i18n/messages.ts'
import type { Catalogues, Part } from '../messages/catalogues.ts'
import { pageData } from './start-path.ts'

/** A text of an API in the language of the page, or else in English. */
export const chooseText = (texts: APITexts): string => {
  const language = languages.find((name) => name === pageData.language) ?? 'en'
  return texts[language] ?? texts.en
}

type Messages = { [Name in Part]?: Translation<Catalogues[Name]> }

/** The messages of the public pages, which the service writes before their script in the language of the page. */
declare const publicMessages: Messages

const loaded: Messages = { ...publicMessages }
const wanted = new Set<Part>()

/**
 * Returns the function that formats the messages of a part of the catalogues. The part is loaded with the scripts that name
 * it, and each script before it is shown.
 */
export const messagesOf = <Name extends Part>(part: Name): Translate<Catalogues[Name]> => {
  wanted.add(part)
  return (name, ...values) => {
    const messages = loaded[part]
    if (!messages) throw new Error('The messages of this part of the page are not loaded.')
    return createTranslate<Catalogues[Name]>(pageData.language, messages)(name, ...values)
  }
}

/** Loads the messages that the scripts so far use, in the language of the page. Nothing is shown before. */
export const loadMessages = async (): Promise<void> => {
  await Promise.all([...wanted].filter((part) => !loaded[part]).map(loadPart))
}

const loadPart = async (part: Part): Promise<void> => {
  // The files are next to the scripts, whose folder is that of the language.
  const file = `./${nameMessageFile(part)}`
  loaded[part] = (await import(file)).default
}

/** The names of all messages of a part that is loaded, in the order of the catalogue. */
export const listNames = (part: Part): readonly string[] => Object.keys(loaded[part] ?? {})

/** Formats the messages that several pages show. */
export const t = messagesOf('kit')
