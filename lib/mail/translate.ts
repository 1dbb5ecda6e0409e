import type { Language } from '../i18n/languages.ts'
import { createTranslate, type Translate, type Translation } from '../i18n/messages.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { fr } from './messages/fr.ts'
import { ja } from './messages/ja.ts'
import { nb } from './messages/nb.ts'

const catalogues: Readonly<Record<Language, Translation<typeof en>>> = { en, fr, de, nb, ja, es }

export type TranslateEmail = Translate<typeof en>

/** Returns the function that formats the texts of emails in this language. */
export const createEmailTranslate = (language: Language): TranslateEmail =>
  createTranslate<typeof en>(language, catalogues[language])

/** Joins sentences to a paragraph. Japanese has no spaces between them. */
export const joinSentences = (language: Language, sentences: readonly string[]): string =>
  sentences.join(language === 'ja' ? '' : ' ')
