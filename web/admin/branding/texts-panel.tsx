import { useState } from 'preact/hooks'
import type { BrandingTextsInput, ServiceBrandingSettings } from '../../../lib/client/generated/models.ts'
import { type Language, languageNames, languages } from '../../../lib/kernel/i18n/languages.ts'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { type BodyForm, BodyOptionalText, FieldPanel } from '../kit/body-fields.tsx'

const t = messagesOf('branding')

interface TextsPanelProps {
  readonly form: BodyForm<ServiceBrandingSettings>
}

/** The texts of one language at a time. */
export const TextsPanel = ({ form }: TextsPanelProps) => {
  const [language, setLanguage] = useState<Language>(pageData.language)
  const texts = inLanguage(form, language)
  return (
    <FieldPanel form={form} name="texts" heading={t('texts')} intro={t('textsHint')}>
      <SelectField
        label={t('textsLanguage')}
        value={language}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
        onChangeValue={(name) => setLanguage(languages.find((known) => known === name) ?? language)}
      />
      <BodyOptionalText
        key={`${language} greeting`}
        form={texts}
        name="greeting"
        label={t('greeting')}
        maxLength={160}
      />
      <BodyOptionalText
        key={`${language} footer`}
        form={texts}
        name="footer"
        label={t('footer')}
        maxLength={240}
      />
      <BodyOptionalText
        key={`${language} address`}
        form={texts}
        name="support_url"
        label={t('textsSupport')}
        maxLength={500}
      />
    </FieldPanel>
  )
}

/** The form of the texts of a language. Only languages with texts have an entry. */
const inLanguage = (
  form: BodyForm<ServiceBrandingSettings>,
  language: Language,
): BodyForm<BrandingTextsInput> => {
  const find = ({ texts }: ServiceBrandingSettings): BrandingTextsInput =>
    texts?.find((one) => one.language === language) ?? { language }
  const all = form.value.texts ?? []
  const value = find(form.value)
  return {
    ...form,
    value,
    base: find(form.base),
    set: (changes) => {
      const { greeting, footer, support_url } = { ...value, ...changes }
      const changed = { language, greeting, footer, support_url }
      const hasText = greeting || footer || support_url
      form.set({
        texts: languages.flatMap((name) => {
          if (name === language) return hasText ? [changed] : []
          return all.filter((one) => one.language === name)
        }),
      })
    },
    labels: new Map(),
    path: `texts.${all.indexOf(value)}.`,
  }
}
