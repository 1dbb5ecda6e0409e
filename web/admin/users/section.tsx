import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import type { ListUsersQuery } from '../../../lib/client/generated/operations.ts'
import { SelectField } from '../../kit/field.tsx'
import { formatRelativeTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { type Column, DataList, useList } from '../kit/data-list.tsx'
import { FilterChips, SearchField } from '../kit/filters.tsx'
import { EmptyList, NoResults } from '../kit/load-state.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { NewUser } from './new-user.tsx'
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
const isState = (text: string): text is keyof typeof states => Object.hasOwn(states, text)
const emailStates = ['verified', 'unverified', 'none'] as const
type EmailState = (typeof emailStates)[number]
const isEmailState = (text: string): text is EmailState => emailStates.some((known) => known === text)
type Ordering = NonNullable<ListUsersQuery['ordering']>

/** All users, with a search and filters that are part of the address. */
const UserList = () => {
  const { query } = useRoute()
  const { can } = useCurrentUser()
  const filter = query.get('filter') ?? ''
  const state = query.get('state') ?? ''
  const email = query.get('email') ?? ''
  const ordering = (query.get('ordering') ?? 'username') as Ordering
  const list = useList(
    (page, options) =>
      client.users.listUsers(
        {
          ...page,
          ordering,
          include_effective_permissions: false,
          ...(filter ? { filter } : {}),
          ...(isState(state) ? states[state] : {}),
          ...(isEmailState(email) ? { email_state: email } : {}),
        },
        options,
      ),
    query.toString(),
  )
  const change = (changes: Record<string, string>): void =>
    replaceQuery({ filter, state, email, ordering, ...changes })
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
        can('users:manage') && (
          <a class="button primary" href={toAddress('users', ['new'])}>
            {t('newUser')}
          </a>
        )
      }
    >
      <div class="toolbar">
        <SearchField label={t('search')} value={filter} onSearch={(text) => change({ filter: text })} />
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
      </div>
      <DataList
        label={consoleText('users')}
        list={list}
        idOf={({ id }) => id}
        columns={columns}
        ordering={ordering}
        onOrder={(field) => change({ ordering: field })}
        empty={
          filter || state || email ? (
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
