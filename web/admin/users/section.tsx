import { useEffect, useRef, useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import type { ListUsersQuery } from '../../../lib/client/generated/operations.ts'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { SelectField } from '../../kit/field.tsx'
import { formatList, formatRelativeTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { type Column, DataList, useList } from '../kit/data-list.tsx'
import { FilterChips, SearchField } from '../kit/filters.tsx'
import { EmptyList, NoResults } from '../kit/load-state.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { FindSeveral, findEach, isList, maxNames, splitNames } from './find-several.tsx'
import { NewUser } from './new-user.tsx'
import { nameDefinition } from './user-attributes.tsx'
import { UserDetail, UserState } from './user-detail.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('users')

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <UserList />
  return id === 'new' ? <NewUser /> : <UserDetail id={Number(id)} />
}

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
const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)
/** What the fields for more filters ask the API for. */
const factors = { with: { has_second_factor: true }, without: { has_second_factor: false } } as const
const kinds = { people: { is_guest: false }, guests: { is_guest: true } } as const
const seen = {
  '30': { not_seen_for_days: 30 },
  '90': { not_seen_for_days: 90 },
  '365': { not_seen_for_days: 365 },
} as const
const pick = <Choices extends Readonly<Record<string, ListUsersQuery>>>(choices: Choices, key: string) =>
  Object.hasOwn(choices, key) ? choices[key] : undefined
type Ordering = NonNullable<ListUsersQuery['ordering']>

/** All users, with a search and filters that are part of the address. */
const UserList = () => {
  const { query } = useRoute()
  const { can, profile } = useCurrentUser()
  const filter = query.get('filter') ?? ''
  const state = query.get('state') ?? ''
  const email = query.get('email') ?? ''
  const group = query.get('group') ?? ''
  const attribute = query.get('attribute') ?? ''
  const factor = query.get('factor') ?? ''
  const kind = query.get('kind') ?? ''
  const unseen = query.get('unseen') ?? ''
  const filters = { filter, state, email, group, attribute, factor, kind, unseen }
  const isFiltered = Object.values(filters).some(Boolean)
  const ordering = (query.get('ordering') ?? 'username') as Ordering
  const [names, setNames] = useState<readonly string[]>([])
  const [missing, setMissing] = useState<readonly string[]>([])
  const [selected, select] = useState<readonly ServiceUserDetail[]>([])
  /** The text of the dialog that asks for several names, while it is open. */
  const [asked, ask] = useState<string | undefined>()
  const selectsFound = useRef(false)
  const canManage = can('users:manage')
  const canSelect = ({ id }: ServiceUserDetail): boolean => id !== profile.id
  const key = names.length > 0 ? names.join('\n') : query.toString()
  // Users that the list no longer shows must not be changed with the others.
  useEffect(() => select([]), [key])
  const list = useList(async (page, options) => {
    if (names.length > 0) {
      const found = await findEach(names, options)
      setMissing(found.missing)
      if (selectsFound.current && canManage) select(found.users.filter(canSelect))
      selectsFound.current = false
      return { items: found.users, nextCursor: undefined }
    }
    return client.users.listUsers(
      {
        ...page,
        ordering,
        include_effective_permissions: false,
        ...(filter ? { filter } : {}),
        ...pick(states, state),
        ...(isEmailState(email) ? { email_state: email } : {}),
        ...(isId(group) ? { groups: Number(group) } : {}),
        ...(attribute ? { attribute } : {}),
        ...pick(factors, factor),
        ...pick(kinds, kind),
        ...pick(seen, unseen),
      },
      options,
    )
  }, key)
  const find = (wanted: readonly string[]): void => {
    selectsFound.current = true
    setMissing([])
    setNames(wanted)
    ask(undefined)
  }
  const change = (changes: Record<string, string>): void => {
    setNames([])
    replaceQuery({ ...filters, ordering, ...changes })
  }
  const columns: readonly Column<ServiceUserDetail>[] = [
    {
      name: 'name',
      header: t('username'),
      ordering: 'username',
      cell: ({ id, username, display_name: name }) => (
        <>
          <a href={toAddress('users', [id])}>{username}</a>
          {name !== username && <div class="note">{name}</div>}
        </>
      ),
    },
    { name: 'email', header: t('email'), cell: ({ email }) => email ?? '–' },
    { name: 'state', header: t('state'), cell: (user) => <UserState user={user} /> },
    {
      name: 'seen',
      header: t('lastSeen'),
      cell: ({ last_seen: seen }) => (seen ? formatRelativeTime(seen) : consoleText('never')),
    },
  ]
  return (
    <SectionPage
      heading={consoleText('users')}
      actions={
        canManage && (
          <a class="button primary" href={toAddress('users', ['new'])}>
            {t('newUser')}
          </a>
        )
      }
    >
      <div class="toolbar">
        <SearchField
          label={t('search')}
          value={filter}
          onSearch={(text) => change({ filter: text })}
          onPaste={(text) => {
            if (!isList(text)) return false
            const pasted = splitNames(text)
            if (pasted.length > maxNames) ask(text)
            else find(pasted)
            return true
          }}
        />
        <AttributeSearch value={attribute} onSearch={(text) => change({ attribute: text })} />
        <FilterChips
          label={t('state')}
          value={state}
          options={[
            { value: 'enabled', label: t('enabled') },
            { value: 'disabled', label: t('disabled') },
            { value: 'invited', label: t('invited') },
            { value: 'invitation-expired', label: t('invitationHasExpired') },
          ]}
          onChoose={(value) => change({ state: value })}
        />
        <SelectField
          label={t('email')}
          value={email}
          options={[
            { value: '', label: consoleText('all') },
            { value: 'verified', label: t('confirmed') },
            { value: 'unverified', label: t('unconfirmed') },
            { value: 'none', label: t('noEmail') },
          ]}
          onChangeValue={(value) => change({ email: value })}
        />
        <Button look="secondary" onClick={() => ask('')}>
          {t('findSeveral')}
        </Button>
      </div>
      <details open={Boolean(factor || kind || unseen)}>
        <summary>{t('moreFilters')}</summary>
        <div class="toolbar">
          <SelectField
            label={t('anySecondFactor')}
            value={factor}
            options={[
              { value: '', label: consoleText('all') },
              { value: 'with', label: t('on') },
              { value: 'without', label: t('off') },
            ]}
            onChangeValue={(value) => change({ factor: value })}
          />
          <SelectField
            label={t('lastSeen')}
            value={unseen}
            options={[
              { value: '', label: consoleText('all') },
              ...Object.keys(seen).map((days) => ({
                value: days,
                label: t('notSeenFor', { days: Number(days) }),
              })),
            ]}
            onChangeValue={(value) => change({ unseen: value })}
          />
          <SelectField
            label={t('kind')}
            value={kind}
            options={[
              { value: '', label: consoleText('all') },
              { value: 'people', label: t('withoutGuests') },
              { value: 'guests', label: t('onlyGuests') },
            ]}
            onChangeValue={(value) => change({ kind: value })}
          />
        </div>
      </details>
      {asked !== undefined && <FindSeveral pasted={asked} onFind={find} onClose={() => ask(undefined)} />}
      {names.length > 0 && (
        <Alert>
          {t('resultsOfNames', { count: names.length })}{' '}
          <Button look="quiet" onClick={() => setNames([])}>
            {t('showAll')}
          </Button>
        </Alert>
      )}
      {isId(group) && <GroupNotice key={group} id={Number(group)} onClose={() => change({ group: '' })} />}
      <Alert kind="warning">
        {names.length > 0 && missing.length > 0 && t('namesNotFound', { names: formatList(missing) })}
      </Alert>
      {selected.length > 0 && <BulkActions users={selected} onSelect={select} onChange={list.reload} />}
      <DataList
        label={consoleText('users')}
        list={list}
        idOf={({ id }) => id}
        columns={columns}
        ordering={ordering}
        {...(names.length > 0 ? {} : { onOrder: (field: string) => change({ ordering: field }) })}
        selection={
          canManage
            ? {
                items: selected,
                set: select,
                canSelect,
                describe: ({ username }) => t('select', { name: username }),
              }
            : undefined
        }
        empty={
          isFiltered || names.length > 0 ? (
            <NoResults />
          ) : (
            <EmptyList
              text={t('empty')}
              create={can('users:manage') && toAddress('users', ['new'])}
              guide="users"
            />
          )
        }
      />
    </SectionPage>
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
    <SearchField label={nameDefinition(searchable)} value={value} onSearch={onSearch} />
  ) : null
}

interface GroupNoticeProps {
  readonly id: number
  readonly onClose: () => void
}

/** Whose members the list shows. */
const GroupNotice = ({ id, onClose }: GroupNoticeProps) => {
  const { value } = useLoaded((options) => client.groups.getGroup(id, options))
  return (
    <Alert>
      {t('membersOf', { group: value?.name ?? String(id) })}{' '}
      <Button look="quiet" onClick={onClose}>
        {t('showAll')}
      </Button>
    </Alert>
  )
}
