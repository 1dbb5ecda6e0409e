import { useState } from 'preact/hooks'
import type { ListUsersQuery } from '../../../lib/client/generated/operations.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField } from '../../kit/field.tsx'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { nameAttribute } from '../../session-kit/attribute-field.tsx'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { FilterChips, SearchField, ToggleChips } from '../kit/filters.tsx'
import { type FilterProps, filterNames, type UserFilters } from './filter-names.ts'
import { isList, maxNames, splitNames } from './find-several.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('users')

/** What the chips of the list ask the API for. */
const states = {
  enabled: { is_enabled: true },
  disabled: { is_enabled: false },
  invited: { invitation: 'pending' },
  'invitation-expired': { invitation: 'expired' },
} as const satisfies Record<string, ListUsersQuery>
const emailStates = ['verified', 'unverified', 'none'] as const
type EmailState = (typeof emailStates)[number]
const isEmailState = (text: string): text is EmailState => emailStates.some((known) => known === text)
export const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)
/** What the fields for more filters ask the API for. */
const factors = { with: { has_second_factor: true }, without: { has_second_factor: false } } as const
const kinds = { '': { is_guest: false }, guests: { is_guest: true }, all: {} } as const
const seen = {
  '30': { not_seen_for_days: 30 },
  '90': { not_seen_for_days: 90 },
  '365': { not_seen_for_days: 365 },
} as const
const pick = <Choices extends Readonly<Record<string, ListUsersQuery>>>(choices: Choices, key: string) =>
  Object.hasOwn(choices, key) ? choices[key] : undefined
const createdDays = ['1', '7', '30', '90', '365'] as const
const isCreatedDays = (text: string): boolean => createdDays.some((known) => known === text)

const adminAccess = 'system:admin-access'

export const readFilters = (query: URLSearchParams): UserFilters =>
  Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? ''])) as UserFilters

/** Whether filters select a part of the users, apart from the kind. */
export const isFiltered = ({ kind: _, ...filters }: UserFilters): boolean =>
  Object.values(filters).some(Boolean)

const dayMs = 24 * 60 * 60_000

/** What the filters ask the API for. */
export const toListQuery = (filters: UserFilters): ListUsersQuery => {
  const { filter, state, email, group, attribute, factor, kind, unseen } = filters
  const { connection, permission, created } = filters
  return {
    ...(filter ? { filter } : {}),
    ...pick(states, state),
    ...(isEmailState(email) ? { email_state: email } : {}),
    ...(isId(group) ? { groups: Number(group) } : {}),
    ...(attribute ? { attribute } : {}),
    ...pick(factors, factor),
    ...(pick(kinds, kind) ?? kinds['']),
    ...pick(seen, unseen),
    ...(isId(connection) ? { connection: Number(connection) } : {}),
    ...(permission ? { permission } : {}),
    ...(isCreatedDays(created) ? { created_since: startOf(Number(created)) } : {}),
  }
}

/** The beginning of an hour, so that all pages of a list have the same filter. */
const startOf = (days: number): string => {
  const hourMs = 60 * 60_000
  return new Date(Math.floor((Date.now() - days * dayMs) / hourMs) * hourMs).toISOString()
}

/** The filters that a person opens, apart from those that a notice above the list names. */
const more = ['factor', 'kind', 'unseen', 'connection', 'created'] as const

interface UserFilterFieldsProps extends FilterProps {
  /** Looks up the users of these names. */
  readonly onFind: (names: readonly string[]) => void
  /** Opens the dialog that asks for several names. */
  readonly onAsk: (text: string) => void
}

/** The search and the filters of the list of users. */
export const UserFilterFields = ({ filters, onChange, onFind, onAsk }: UserFilterFieldsProps) => (
  <div class="toolbar">
    <SearchField
      label={t('search')}
      value={filters.filter}
      onSearch={(text) => onChange({ filter: text })}
      onPaste={(text) => {
        if (!isList(text)) return false
        const pasted = splitNames(text)
        if (pasted.length > maxNames) onAsk(text)
        else onFind(pasted)
        return true
      }}
    />
    <AttributeSearch value={filters.attribute} onSearch={(text) => onChange({ attribute: text })} />
    <FilterChips
      label={t('state')}
      value={filters.state}
      options={[
        { value: 'enabled', label: t('enabled') },
        { value: 'disabled', label: t('disabled') },
        { value: 'invited', label: t('invited') },
        { value: 'invitation-expired', label: t('invitationHasExpired') },
      ]}
      onChoose={(value) => onChange({ state: value })}
    />
    <ToggleChips
      label={t('holdsPermission')}
      values={[filters.permission]}
      options={[{ value: adminAccess, label: t('administrators') }]}
      onChoose={(values) => onChange({ permission: values.includes(adminAccess) ? adminAccess : '' })}
    />
    <SelectField
      label={t('email')}
      value={filters.email}
      options={[
        { value: '', label: consoleText('all') },
        { value: 'verified', label: t('confirmed') },
        { value: 'unverified', label: t('unconfirmed') },
        { value: 'none', label: t('noEmail') },
      ]}
      onChangeValue={(value) => onChange({ email: value })}
    />
    <Button look="secondary" onClick={() => onAsk('')}>
      {t('findSeveral')}
    </Button>
    <MoreFilters filters={filters} onChange={onChange} />
  </div>
)

const MoreFilterFields = loadChunk(async () => (await import('./more-filters.tsx')).MoreFilterFields)

/** Most people need these rarely. So their script and their choices are loaded when they are opened. */
const MoreFilters = (props: FilterProps) => {
  const [isOpened, setOpened] = useState(false)
  const isOpen = isOpened || more.some((name) => props.filters[name] !== '')
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>{t('moreFilters')}</summary>
      {isOpen && <MoreFilterFields {...props} unseenDays={Object.keys(seen)} createdDays={createdDays} />}
    </details>
  )
}

interface AttributeSearchProps {
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** A search for exactly one value, if the service has a searchable attribute. */
const AttributeSearch = ({ value, onSearch }: AttributeSearchProps) => {
  const { value: read } = useLoaded((options) => client.users.getUserAttributes(options))
  const searchable = read?.attributes.find(({ is_searchable: isSearchable }) => isSearchable)
  return searchable ? (
    <SearchField label={nameAttribute(searchable)} value={value} onSearch={onSearch} />
  ) : null
}
