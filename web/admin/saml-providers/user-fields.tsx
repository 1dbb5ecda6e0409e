import type { ApiFailure } from '../../kit/call-api.ts'
import { Checkbox, SelectField, TextAreaField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { problemOf } from '../kit/problem-of.tsx'
import type { Draft } from '../kit/use-draft.ts'
import type { ProviderValues } from './provider-values.ts'

const t = messagesOf('samlProviders')

export interface ProviderFieldsProps {
  readonly draft: Pick<Draft<ProviderValues>, 'value' | 'set'>
  readonly failure: ApiFailure | undefined
}

/** Who may sign in with a provider, and what they get. */
export const UserFields = ({ draft: { value, set }, failure }: ProviderFieldsProps) => (
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
    <TextAreaField
      label={t('domains')}
      hint={t('domainsHint')}
      problem={problemOf(failure, 'trusted_email_domains')}
      rows={3}
      value={value.trusted_email_domains}
      onChangeValue={(text) => set({ trusted_email_domains: text })}
    />
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

interface TemplateFieldProps {
  readonly value: string
  readonly onChangeValue: (id: string) => void
}

const mostTemplates = 500

const TemplateField = ({ value, onChangeValue }: TemplateFieldProps) => {
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
