import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { foundAtOnce, Picker } from '../people/picker.tsx'
import { UserPicker } from '../people/user-picker.tsx'
import type { FiltersProps } from './audit-filter.ts'
import { credentialKinds, nameCredential } from './credential-names.ts'
import { listFields } from './field-names.ts'

const t = messagesOf('audit')

/** The filters of the audit log that a person opens. */
export const MoreFilterFields = ({ filter, onChange }: FiltersProps) => (
  <div class="toolbar">
    <UserPicker
      label={t('findActor')}
      action={t('showEvents')}
      onPick={({ id }) => onChange({ actor: String(id), credential: '', credential_id: '' })}
    />
    <Picker
      label={t('findOrganization')}
      action={t('showEvents')}
      none={t('noOrganizations')}
      find={async (text, options) => {
        const { items } = await client.organizations.listOrganizations(
          { filter: text, limit: foundAtOnce },
          options,
        )
        return items
      }}
      nameOf={({ name }) => name}
      onPick={({ id }) => onChange({ organization: String(id) })}
    />
    <SelectField
      label={t('credential')}
      value={filter.credential}
      options={[
        { value: '', label: t('anyCredential') },
        ...credentialKinds.map((credential) => ({
          value: credential,
          label: nameCredential({ credential, actor: null }),
        })),
      ]}
      onChangeValue={(credential) => onChange({ credential, credential_id: '' })}
    />
    <SelectField
      label={t('field')}
      value={filter.field}
      options={[
        { value: '', label: t('anyField') },
        ...listFields().map(({ field, label }) => ({ value: field, label })),
      ]}
      onChangeValue={(field) => onChange({ field })}
    />
  </div>
)
