import type { ServiceUserDetail } from '../../../../lib/client/generated/models.ts'
import type { ListUsersQuery } from '../../../../lib/client/generated/operations.ts'
import { formatRelativeTime } from '../../kit/format.ts'
import { client } from '../../session-kit/client.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { FilterChips, SearchField } from '../kit/filters.tsx'
import { t as consoleText } from '../kit/messages.ts'
import { NoResults } from '../kit/no-results.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { t } from './messages.ts'
import { UserState } from './user-state.tsx'

const states = { enabled: true, disabled: false } as const
const isState = (text: string): text is keyof typeof states => text in states
type Ordering = NonNullable<ListUsersQuery['ordering']>

/** All users, with a search and filters that are part of the address. */
export const UserList = () => {
  const { query } = useRoute()
  const { can } = useCurrentUser()
  const filter = query.get('filter') ?? ''
  const state = query.get('state') ?? ''
  const ordering = (query.get('ordering') ?? 'username') as Ordering
  const list = useList(
    (page, options) =>
      client.users.listUsers(
        {
          ...page,
          ordering,
          include_effective_permissions: false,
          ...(filter ? { filter } : {}),
          ...(isState(state) ? { is_enabled: states[state] } : {}),
        },
        options,
      ),
    query.toString(),
  )
  const change = (changes: Record<string, string>): void =>
    replaceQuery({ filter, state, ordering, ...changes })
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
      heading={t('heading')}
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
          ]}
          onChoose={(value) => change({ state: value })}
        />
      </div>
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
        columns={columns}
        ordering={ordering}
        onOrder={(field) => change({ ordering: field })}
        empty={filter || state ? <NoResults /> : <p>{t('empty')}</p>}
      />
    </SectionPage>
  )
}
