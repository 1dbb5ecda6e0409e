import { useState } from 'preact/hooks'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { listConnections } from '../connections/list-connections.ts'
import { SearchField } from '../kit/filters.tsx'
import { usePermissionChoices } from '../people/permissions.ts'
import { foundAtOnce, Picker } from '../people/picker.tsx'
import type { FilterProps } from './filter-names.ts'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('users')

interface MoreFilterFieldsProps extends FilterProps {
  readonly unseenDays: readonly string[]
  readonly createdDays: readonly string[]
}

/** The filters of the list of users that a person opens. */
export const MoreFilterFields = ({ filters, onChange, unseenDays, createdDays }: MoreFilterFieldsProps) => (
  <div class="toolbar">
    <PermissionFilter value={filters.permission} onChoose={(value) => onChange({ permission: value })} />
    <GroupFilter value={filters.group} onChoose={(value) => onChange({ group: value })} />
    <SelectField
      label={t('anySecondFactor')}
      value={filters.factor}
      options={[
        { value: '', label: consoleText('all') },
        { value: 'with', label: t('on') },
        { value: 'without', label: t('off') },
      ]}
      onChangeValue={(value) => onChange({ factor: value })}
    />
    <SelectField
      label={t('lastSeen')}
      value={filters.unseen}
      options={[
        { value: '', label: consoleText('all') },
        ...unseenDays.map((days) => ({
          value: days,
          label: t('notSeenFor', { days: Number(days) }),
        })),
      ]}
      onChangeValue={(value) => onChange({ unseen: value })}
    />
    <SelectField
      label={t('kind')}
      value={filters.kind}
      options={[
        { value: '', label: t('withoutGuests') },
        { value: 'guests', label: t('onlyGuests') },
        { value: 'all', label: consoleText('all') },
      ]}
      onChangeValue={(value) => onChange({ kind: value })}
    />
    <SelectField
      label={t('createdAt')}
      value={filters.created}
      options={[
        { value: '', label: consoleText('all') },
        ...createdDays.map((days) => ({
          value: days,
          label: t('createdInDays', { days: Number(days) }),
        })),
      ]}
      onChangeValue={(value) => onChange({ created: value })}
    />
    <ConnectionFilter value={filters.connection} onChoose={(value) => onChange({ connection: value })} />
  </div>
)

interface ChoiceProps {
  readonly value: string
  readonly onChoose: (value: string) => void
}

/** No permission has this name. */
const otherPermission = '?'

/** A permission by its title, or that of a product by its exact name. */
const PermissionFilter = ({ value, onChoose }: ChoiceProps) => {
  const known = usePermissionChoices()
  const [asksOther, askOther] = useState(false)
  const isKnown = value === '' || known.some(({ name }) => name === value)
  const countOf = (title: string): number => known.filter(({ label }) => label === title).length
  return (
    <>
      <SelectField
        label={t('holdsPermission')}
        value={asksOther && value === '' ? otherPermission : value}
        options={[
          { value: '', label: consoleText('all') },
          ...known.map(({ name, label }) => ({
            value: name,
            label: countOf(label) > 1 ? `${label} (${name})` : label,
          })),
          ...(isKnown ? [] : [{ value, label: value }]),
          { value: otherPermission, label: people('otherPermission') },
        ]}
        onChangeValue={(chosen) => {
          askOther(chosen === otherPermission)
          onChoose(chosen === otherPermission ? '' : chosen)
        }}
      />
      {asksOther && (
        <SearchField label={people('otherPermission')} value={isKnown ? '' : value} onSearch={onChoose} />
      )}
    </>
  )
}

/** More groups than a person looks through get a search. */
const mostGroups = 100

/** The groups by their names. A notice above the list shows which one is chosen. */
const GroupFilter = ({ value, onChoose }: ChoiceProps) => {
  const { value: groups } = useLoaded((options) =>
    client.groups.listGroups({ ordering: 'name', include_members: false, limit: mostGroups }, options),
  )
  if (groups?.nextCursor !== undefined)
    return (
      <Picker
        label={people('searchGroups')}
        action={t('showMembers')}
        none={consoleText('noResults')}
        find={async (filter, options) => {
          const query = { filter, ordering: 'name', include_members: false, limit: foundAtOnce } as const
          return (await client.groups.listGroups(query, options)).items
        }}
        nameOf={({ name }) => name}
        onPick={({ id }) => onChoose(String(id))}
      />
    )
  return (
    <SelectField
      label={t('group')}
      value={value}
      options={[
        { value: '', label: consoleText('all') },
        ...(groups?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChangeValue={onChoose}
    />
  )
}

const mostConnections = 500

/** The company connections that the person may see. */
const ConnectionFilter = ({ value, onChoose }: ChoiceProps) => {
  const { value: connections } = useLoaded((options) =>
    listConnections({ ordering: 'name', limit: mostConnections }, options),
  )
  return (
    <SelectField
      label={t('connection')}
      value={value}
      options={[
        { value: '', label: consoleText('all') },
        ...(connections?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChangeValue={onChoose}
    />
  )
}
