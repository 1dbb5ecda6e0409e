import { SelectField, TextAreaField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { problemOf } from '../kit/problem-of.tsx'
import type { ProviderValues } from './provider-values.ts'
import type { ProviderFieldsProps } from './user-fields.tsx'

const t = messagesOf('samlProviders')

const nameIdFormats: readonly ProviderValues['nameid_format'][] = [
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted',
]

/** What the metadata of a provider contains. */
export const ConnectionFields = ({ draft: { value, set }, failure }: ProviderFieldsProps) => {
  const texts = [
    { name: 'entity_id', label: t('entityId') },
    { name: 'sso_url', label: t('ssoUrl') },
    { name: 'slo_url', label: t('sloUrl') },
  ] as const
  return (
    <>
      {texts.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          problem={problemOf(failure, name)}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={255}
          value={value[name]}
          onChangeValue={(text) => set({ [name]: text })}
        />
      ))}
      <TextAreaField
        label={t('certificate')}
        problem={problemOf(failure, 'certificate')}
        rows={6}
        value={value.certificate}
        onChangeValue={(certificate) => set({ certificate })}
      />
    </>
  )
}

/** How a provider names its users. */
export const NameFields = ({ draft: { value, set }, failure }: ProviderFieldsProps) => (
  <>
    <SelectField
      label={t('nameIdFormat')}
      value={value.nameid_format}
      options={nameIdFormats.map((format) => ({ value: format, label: format.split(':').at(-1) ?? format }))}
      onChangeValue={(text) =>
        set({ nameid_format: nameIdFormats.find((format) => format === text) ?? value.nameid_format })
      }
    />
    <TextField
      label={t('nameIdAttribute')}
      hint={t('nameIdAttributeHint')}
      problem={problemOf(failure, 'nameid_attribute')}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      value={value.nameid_attribute}
      onChangeValue={(attribute) => set({ nameid_attribute: attribute })}
    />
  </>
)
