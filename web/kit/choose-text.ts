import type { APITexts } from '../../lib/client/generated/models.ts'
import { consoleLanguages } from '../../lib/i18n/languages.ts'
import { pageData } from './page-data.ts'

/** A text of an API in the language of the page, or else in English. */
export const chooseText = (texts: APITexts): string => {
  const language = consoleLanguages.find((name) => name === pageData.language) ?? 'en'
  return texts[language] ?? texts.en
}
