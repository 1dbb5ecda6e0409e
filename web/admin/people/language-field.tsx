import { type Language, languageNames } from '../../../lib/kernel/i18n/languages.ts'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('people')

interface LanguageFieldProps {
  readonly languages: readonly Language[]
  /** Empty for none. */
  readonly value: string
  readonly onChangeValue: (language: string) => void
}

/** The language of a user. Without one, their browser decides. */
export const LanguageField = ({ languages, value, onChangeValue }: LanguageFieldProps) => (
  <SelectField
    label={t('language')}
    value={value}
    options={[
      { value: '', label: t('languageUnset') },
      ...languages.map((language) => ({ value: language, label: languageNames[language] })),
    ]}
    onChangeValue={onChangeValue}
  />
)
