import { type Language, languageNames } from '../../../lib/kernel/i18n/languages.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('people')

/** The languages of a user as choices. Without one, their browser decides. */
export const listLanguages = <Known extends Language>(languages: readonly Known[]) => [
  { value: null, label: t('languageUnset') },
  ...languages.map((language) => ({ value: language, label: languageNames[language] })),
]
