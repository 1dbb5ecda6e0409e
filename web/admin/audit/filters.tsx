import { useState } from 'preact/hooks'
import { SelectField, TextField } from '../../kit/field.tsx'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { FilterChips, SearchField, ToggleChips } from '../kit/filters.tsx'
import { UserPicker } from '../people/user-picker.tsx'
import { type AuditFilter, type FiltersProps, groupNames, listChosenEvents } from './audit-filter.ts'
import { loadCredentialName, nameCredential } from './credential-names.ts'
import { loadObjectName } from './event-object.tsx'
import { nameEvent } from './event-text.tsx'
import { importLabel } from './import-field-names.ts'

const t = messagesOf('audit')

const periods = ['lastHour', 'today', 'yesterday', 'lastWeek', 'lastMonth', 'ownPeriod'] as const

export const Filters = ({ filter, onChange }: FiltersProps) => (
  <div class="filters">
    <div class="toolbar">
      <FilterChips
        label={t('period')}
        value={filter.period || (filter.since || filter.until ? 'ownPeriod' : '')}
        options={periods.map((value) => ({ value, label: t(value) }))}
        onChoose={(period) => onChange({ period, since: '', until: '' })}
      />
      <MoreFilters filter={filter} onChange={onChange} />
    </div>
    {(filter.period === 'ownPeriod' || filter.since || filter.until) && (
      <div class="toolbar">
        <TextField
          label={t('from')}
          type="datetime-local"
          value={filter.since}
          onChangeValue={(since) => onChange({ since, period: 'ownPeriod' })}
        />
        <TextField
          label={t('to')}
          type="datetime-local"
          value={filter.until}
          onChangeValue={(until) => onChange({ until, period: 'ownPeriod' })}
        />
      </div>
    )}
    <div class="row">
      <ToggleChips
        label={t('kinds')}
        values={filter.groups.split(',')}
        options={groupNames.map((value) => ({ value, label: t(value) }))}
        onChoose={(values) => onChange({ groups: values.filter(Boolean).join(','), event: '' })}
      />
      <ToggleChips
        label={t('outcome')}
        values={[filter.outcome]}
        options={[{ value: 'failed', label: t('onlyFailed') }]}
        onChoose={(values) => onChange({ outcome: values.includes('failed') ? 'failed' : '' })}
      />
    </div>
    <div class="toolbar">
      <SelectField
        label={t('event')}
        value={filter.event}
        options={[
          { value: '', label: t('allEvents') },
          ...listChosenEvents(filter.groups).map((name) => ({ value: name, label: nameEvent(name) })),
        ]}
        onChangeValue={(event) => onChange({ event })}
      />
      <SearchField label={t('find')} value={filter.find} onSearch={(find) => onChange({ find })} />
      {!filter.user && (
        <UserPicker
          label={t('findPerson')}
          action={t('showEvents')}
          onPick={({ id }) => onChange({ user: String(id) })}
        />
      )}
    </div>
    <ChosenFilters filter={filter} onChange={onChange} />
  </div>
)

const MoreFilterFields = loadChunk(async () => (await import('./more-filters.tsx')).MoreFilterFields)

/** Their script and their choices are loaded when they are opened. */
const MoreFilters = (props: FiltersProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('moreFilters')}</summary>
      {isOpen && <MoreFilterFields {...props} />}
    </details>
  )
}

/** The filters that no field above shows, each with a button that takes it off. */
const ChosenFilters = ({ filter, onChange }: FiltersProps) => {
  const { user, actor, credential, credential_id: credentialId, organization, field, object, name } = filter
  if (![user, actor, credential, organization, field, object].some(Boolean)) return null
  const takesOff = (changes: Partial<AuditFilter>) => () => onChange(changes)
  return (
    <div class="chips">
      {user && (
        <ChosenPerson
          key={`user ${user}`}
          id={Number(user)}
          text="onlyUser"
          onRemove={takesOff({ user: '' })}
        />
      )}
      {actor && (
        <ChosenPerson
          key={`actor ${actor}`}
          id={Number(actor)}
          text="onlyBy"
          onRemove={takesOff({ actor: '' })}
        />
      )}
      {credential && (
        <ChosenCredential
          key={`${credential} ${credentialId} ${actor}`}
          filter={filter}
          onRemove={takesOff({ credential: '', credential_id: '' })}
        />
      )}
      {organization && (
        <ChosenOrganization
          key={organization}
          id={Number(organization)}
          onRemove={takesOff({ organization: '' })}
        />
      )}
      {field && <ChosenField key={field} field={field} onRemove={takesOff({ field: '' })} />}
      {object && (
        <Chosen
          text={t('onlyObject', { name: name || object })}
          onRemove={takesOff({ object: '', name: '' })}
        />
      )}
    </div>
  )
}

interface ChosenPersonProps {
  readonly id: number
  readonly text: 'onlyUser' | 'onlyBy'
  readonly onRemove: () => void
}

/** A deleted user has a number only. */
const ChosenPerson = ({ id, text, onRemove }: ChosenPersonProps) => {
  const { value } = useLoaded((options) => client.users.getUser(id, {}, options))
  const name = value?.display_name ?? String(id)
  return <Chosen text={t(text, { id: name, name })} onRemove={onRemove} />
}

interface ChosenCredentialProps {
  readonly filter: AuditFilter
  readonly onRemove: () => void
}

const ChosenCredential = ({ filter, onRemove }: ChosenCredentialProps) => {
  const { value: name } = useLoaded(() => loadCredentialName(filter))
  return <Chosen text={t('onlyCredential', { name: name ?? nameCredential(filter) })} onRemove={onRemove} />
}

const ChosenOrganization = ({ id, onRemove }: { readonly id: number; readonly onRemove: () => void }) => {
  const { value: name } = useLoaded(() => loadObjectName({ kind: 'organization', id }))
  return <Chosen text={t('onlyObject', { name: name ?? String(id) })} onRemove={onRemove} />
}

const ChosenField = ({ field, onRemove }: { readonly field: string; readonly onRemove: () => void }) => {
  const { value: label } = useLoaded(() => importLabel(field))
  return <Chosen text={t('onlyField', { name: label ?? field })} onRemove={onRemove} />
}

const Chosen = ({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) => (
  <button type="button" class="chip" aria-pressed="true" onClick={onRemove}>
    {text} <span aria-hidden="true">×</span>
    <span class="for-screen-readers">{t('remove')}</span>
  </button>
)
