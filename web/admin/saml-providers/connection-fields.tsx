import { Alert } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import type { Draft } from '../kit/use-save.tsx'
import type { ProviderValues, UserValues } from './provider-values.ts'

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

interface ProviderFieldsProps {
  readonly draft: Pick<Draft<ProviderValues>, 'value' | 'set'>
  readonly failure: ApiFailure | undefined
}

interface UserFieldsProps {
  readonly draft: {
    readonly value: UserValues
    readonly set: (changes: Partial<UserValues>) => void
  }
  readonly failure: ApiFailure | undefined
}

/** Who may sign in with a provider, and what they get. */
export const UserFields = ({ draft: { value, set }, failure }: UserFieldsProps) => (
  <>
    <Checkbox
      label={t('autoCreate')}
      hint={t('autoCreateHint')}
      isChecked={value.auto_create_users}
      onChange={(isChecked) => set({ auto_create_users: isChecked })}
    />
    {value.auto_create_users && (
      <TemplateField value={value.user_template} onChangeValue={(id) => set({ user_template: id })} />
    )}
    <Checkbox
      label={t('syncGroups')}
      hint={t('syncGroupsHint')}
      isChecked={value.auto_sync_groups}
      onChange={(isChecked) => set({ auto_sync_groups: isChecked })}
    />
    {value.auto_sync_groups && (
      <>
        <Checkbox
          label={t('createGroups')}
          isChecked={value.auto_create_groups}
          onChange={(isChecked) => set({ auto_create_groups: isChecked })}
        />
        <TextAreaField
          label={t('groups')}
          hint={t('groupsHint')}
          problem={problemOf(failure, 'allowed_groups')}
          rows={4}
          value={value.allowed_groups}
          onChangeValue={(text) => set({ allowed_groups: text })}
        />
      </>
    )}
    <Checkbox
      label={t('hidden')}
      hint={t('hiddenHint')}
      isChecked={value.disabled_in_client}
      onChange={(isChecked) => set({ disabled_in_client: isChecked })}
    />
  </>
)

/** Whether people of its domains may sign in otherwise. */
export const RequiredFields = ({ draft: { value, set }, failure }: UserFieldsProps) => (
  <>
    <Checkbox
      label={t('requireSignIn')}
      hint={t('requireSignInHint')}
      isChecked={value.required_for_domains}
      onChange={(isChecked) => set({ required_for_domains: isChecked })}
    />
    {failure && problemOf(failure, 'required_for_domains') && (
      <Alert kind="problem">{problemOf(failure, 'required_for_domains')}</Alert>
    )}
    {value.required_for_domains && (
      <TextAreaField
        label={t('exemptUsers')}
        hint={t('exemptUsersHint')}
        problem={problemOf(failure, 'exempt_users')}
        rows={4}
        value={value.exempt_users}
        onChangeValue={(text) => set({ exempt_users: text })}
      />
    )}
  </>
)

interface TemplateFieldProps {
  readonly value: string
  readonly onChangeValue: (id: string) => void
}

const mostTemplates = 500

/** Chooses the user template of new users. */
export const TemplateField = ({ value, onChangeValue }: TemplateFieldProps) => {
  const { value: page } = useLoaded((options) =>
    client.userTemplates.listUserTemplates({ ordering: 'name', limit: mostTemplates }, options),
  )
  const templates = (page?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const isMissing = value !== '' && !templates.some((template) => template.value === value)
  return (
    <SelectField
      label={t('template')}
      value={value}
      options={[
        { value: '', label: t('noTemplate') },
        ...templates,
        // While the list loads, and if the template was deleted.
        ...(isMissing ? [{ value, label: value }] : []),
      ]}
      onChangeValue={onChangeValue}
    />
  )
}
