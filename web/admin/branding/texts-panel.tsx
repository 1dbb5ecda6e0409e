import { useState } from 'preact/hooks'
import { languageNames, languages } from '../../../lib/kernel/i18n/languages.ts'
import type { ApiFailure } from '../../kit/call-api.ts'
import { SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { listTexts, type TextValues } from './branding-values.ts'

const t = messagesOf('branding')

const fields = [
  { name: 'greeting', label: 'greeting', maxLength: 160 },
  { name: 'footer', label: 'footer', maxLength: 240 },
  { name: 'support_url', label: 'textsSupport', maxLength: 500 },
] as const

interface TextsPanelProps {
  readonly texts: readonly TextValues[]
  readonly failure: ApiFailure | undefined
  readonly onChange: (texts: readonly TextValues[]) => void
}

/** The texts of one language at a time. */
export const TextsPanel = ({ texts, failure, onChange }: TextsPanelProps) => {
  const [language, setLanguage] = useState<string>(pageData.language)
  const shown = texts.find((one) => one.language === language)
  // Errors count the texts that were sent.
  const at = listTexts(texts).findIndex((one) => one.language === language)
  return (
    <Panel heading={t('texts')} intro={t('textsHint')}>
      <SelectField
        label={t('textsLanguage')}
        value={language}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
        onChangeValue={setLanguage}
      />
      {shown &&
        fields.map(({ name, label, maxLength }) => (
          <TextField
            key={`${language} ${name}`}
            label={t(label)}
            problem={problemOf(failure, `texts.${at}.${name}`)}
            autocomplete="off"
            maxLength={maxLength}
            value={shown[name]}
            onChangeValue={(text) =>
              onChange(texts.map((one) => (one.language === language ? { ...one, [name]: text } : one)))
            }
          />
        ))}
    </Panel>
  )
}
