import { useEffect, useRef, useState } from 'preact/hooks'
import type { ServiceUserDetail, Totals } from '../../../lib/client/generated/models.ts'
import type { ListUsersQuery } from '../../../lib/client/generated/operations.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { toFailure } from '../../kit/call-api.ts'
import { formatDate, formatList, formatRelativeTime } from '../../kit/format.ts'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { Initials } from '../kit/initials.tsx'
import { EmptyList, NoResults } from '../kit/load-state.tsx'
import { Tag } from '../kit/panel.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { BulkActions } from './bulk-actions.tsx'
import type { UserFilters } from './filter-names.ts'
import { FindSeveral, findEach } from './find-several.tsx'
import { useWaitTags } from './use-waits.tsx'
import { isFiltered, isId, readFilters, toListQuery, UserFilterFields } from './user-filters.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('users')

type Ordering = NonNullable<ListUsersQuery['ordering']>

const listColumns = (
  isByNumber: boolean,
  why: readonly Column<ServiceUserDetail>[],
  tagWait: ReturnType<typeof useWaitTags>,
): readonly Column<ServiceUserDetail>[] => [
  {
    name: 'name',
    header: t('username'),
    ...(isByNumber ? {} : { ordering: 'username' }),
    cell: ({ id, username, display_name: name }) => (
      <span class="named">
        <Initials name={name} />
        <a href={toAddress('users', [id])}>{username}</a>
      </span>
    ),
  },
  ...why,
  {
    name: 'full-name',
    header: t('fullName'),
    cell: ({ display_name: name, username }) => (name === username ? '–' : name),
  },
  {
    name: 'email',
    header: t('email'),
    // Many usernames are the address. Saying it twice takes the room of other columns.
    cell: ({ email, username }) =>
      email !== null && email === username ? <span class="note">{t('sameAsUsername')}</span> : (email ?? '–'),
  },
  {
    name: 'state',
    header: t('state'),
    cell: (user) => (
      <>
        {<UserState user={user} />} {tagWait(user)}
      </>
    ),
  },
  {
    name: 'seen',
    header: t('lastSeen'),
    cell: ({ last_seen: seen }) => (seen ? formatRelativeTime(seen) : consoleText('never')),
  },
  {
    name: 'created',
    header: t('createdAt'),
    isHidden: true,
    cell: ({ created_at: created }) => (created ? formatDate(created) : '–'),
  },
  {
    name: 'factor',
    header: t('secondFactor'),
    isHidden: true,
    cell: ({ totp_enabled: isOn }) => (isOn ? t('on') : t('off')),
  },
  { name: 'number', header: t('number'), ordering: 'id', isHidden: true, cell: ({ id }) => id },
]

/** How many users of a kind there are. */
const countKind = (totals: Totals | undefined, kind: string): number | undefined => {
  if (!totals) return undefined
  if (kind === 'guests') return totals.guests
  return kind === 'all' ? totals.users + totals.guests : totals.users
}

/** All users, with a search and filters that are part of the address. */
export const UserList = () => {
  const { query } = useRoute()
  const { can, profile } = useCurrentUser()
  const filters = readFilters(query)
  const chosen = (query.get('ordering') ?? 'username') as Ordering
  // The service sorts the users of a large connection by their number only.
  const isByNumber = isId(filters.connection)
  const ordering = isByNumber && chosen !== '-id' ? 'id' : chosen
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
    const query = { ordering, include_effective_permissions: false, ...toListQuery(filters) }
    const [{ items, nextCursor }, numbered] = await Promise.all([
      client.users.listUsers({ ...page, ...query }, options),
      page.cursor === undefined ? findNumbered(filters, options) : [],
    ])
    const others = items.filter(({ id }) => String(id) !== filters.filter)
    return { items: [...numbered, ...others], nextCursor }
  }, key)
  const find = (wanted: readonly string[]): void => {
    selectsFound.current = true
    setMissing([])
    setNames(wanted)
    ask(undefined)
  }
  const change = (changes: Partial<UserFilters> & { readonly ordering?: Ordering }): void => {
    setNames([])
    replaceQuery({ ...filters, ordering: chosen, ...changes })
  }
  const isByPermission = filters.permission !== '' && names.length === 0
  const tagWait = useWaitTags()
  const why = useReasonColumn(filters.permission)
  const { value: totals } = useLoaded((options) => client.users.getTotals(options))
  return (
    <SectionPage
      heading={consoleText('users')}
      actions={
        canManage && (
          <>
            {can('system:admin-access') && <FileActions total={totals?.users} />}
            <a class="button primary" href={toAddress('users', ['new'])}>
              {t('newUser')}
            </a>
          </>
        )
      }
    >
      <UserFilterFields filters={filters} onChange={change} onFind={find} onAsk={ask} />
      {asked !== undefined && <FindSeveral pasted={asked} onFind={find} onClose={() => ask(undefined)} />}
      {names.length > 0 && (
        <Alert>
          {t('resultsOfNames', { count: names.length })}{' '}
          <Button look="quiet" onClick={() => setNames([])}>
            {t('showAll')}
          </Button>
        </Alert>
      )}
      {isId(filters.group) && (
        <GroupNotice key={filters.group} id={Number(filters.group)} onClose={() => change({ group: '' })} />
      )}
      {isByPermission && (
        <PermissionNotice permission={filters.permission} onClose={() => change({ permission: '' })} />
      )}
      <Alert kind="warning">
        {names.length > 0 && missing.length > 0 && t('namesNotFound', { names: formatList(missing) })}
      </Alert>
      {isByNumber && <p class="note">{t('connectionOrder')}</p>}
      {selected.length > 0 && <BulkActions users={selected} onSelect={select} onChange={list.reload} />}
      <DataList
        label={consoleText('users')}
        list={list}
        idOf={({ id }) => id}
        columns={listColumns(isByNumber, isByPermission ? [why] : [], tagWait)}
        columnsName="users"
        total={names.length > 0 || isFiltered(filters) ? undefined : countKind(totals, filters.kind)}
        ordering={ordering}
        {...(names.length > 0 ? {} : { onOrder: (field: string) => change({ ordering: field as Ordering }) })}
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
          isFiltered(filters) || filters.kind || names.length > 0 ? (
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

/**
 * The user with the number that the person searches for, if the other filters select them. A number is searched for on
 * purpose, so it also finds guests of links.
 */
const findNumbered = async (
  { filter, kind, ...filters }: UserFilters,
  options: { readonly signal: AbortSignal },
): Promise<readonly ServiceUserDetail[]> => {
  if (!isId(filter)) return []
  const parts = { include_effective_permissions: false }
  const user = await client.users.getUser(Number(filter), parts, options).catch((error: unknown) => {
    if (toFailure(error).status !== 404) throw error
    return undefined
  })
  if (!user) return []
  const query = { ...toListQuery({ ...filters, filter: '', kind: kind || 'all' }), ...parts }
  const { items } = await client.users.listUsers({ ...query, username: user.username }, options)
  return items.filter(({ id }) => id === user.id)
}

const PermissionNotice = loadChunk(async () => (await import('./permission-notice.tsx')).PermissionNotice)
const ExportUsers = loadChunk(async () => (await import('../user-files/export-users.tsx')).ExportUsers)

/** Import and export, which can give and show everything. */
const FileActions = ({ total }: { readonly total: number | undefined }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <a class="button secondary" href={toAddress('users', ['import'])}>
        {t('import')}
      </a>
      <Button look="secondary" onClick={() => setOpen(true)}>
        {t('export')}
      </Button>
      {isOpen && <ExportUsers total={total} onClose={() => setOpen(false)} />}
    </>
  )
}

interface GroupNoticeProps {
  readonly id: number
  readonly onClose: () => void
}

/** Whose members the list shows. */
const GroupNotice = ({ id, onClose }: GroupNoticeProps) => {
  const { value } = useLoaded((options) => client.groups.getGroup(id, { include_members: false }, options))
  return (
    <Alert>
      {t('membersOf', { group: value?.name ?? String(id) })}{' '}
      <Button look="quiet" onClick={onClose}>
        {t('showAll')}
      </Button>
    </Alert>
  )
}

/** The column that says why users hold a permission. All groups are read together, however many rows there are. */
const useReasonColumn = (permission: string): Column<ServiceUserDetail> => {
  const { value: groups, failure } = useLoaded(async (options) => {
    const giving = new Map<number, string>()
    if (permission === '') return giving
    for await (const group of client.groups.iterateGroups({ include_members: false }, options))
      if (group.permissions.includes(permission)) giving.set(group.id, group.name)
    return giving
  }, permission)
  return {
    name: 'why',
    header: t('why'),
    isFixed: true,
    cell: (user) => {
      const isByGroup = user.group_permissions.includes(permission)
      const given = isByGroup ? user.groups.filter((id) => groups?.has(id)) : []
      return (
        <>
          {user.permissions.includes(permission) && <div>{t('givenDirectly')}</div>}
          {given.map((id) => (
            <div key={id}>
              <a href={toAddress('groups', [id])}>{t('fromGroup', { name: groups?.get(id) ?? '' })}</a>
            </div>
          ))}
          {isByGroup && failure && t('fromAnyGroup')}
        </>
      )
    },
  }
}

/** Whether a user can sign in. */
export const UserState = ({ user }: { readonly user: ServiceUserDetail }) => {
  if (!user.is_enabled) return <Tag kind="warning">{t('disabled')}</Tag>
  if (user.expiry !== null && Date.parse(user.expiry) <= Date.now())
    return <Tag kind="bad">{t('expired')}</Tag>
  if (user.invitation?.state === 'pending') return <Tag>{t('invited')}</Tag>
  if (user.invitation?.state === 'expired') return <Tag kind="warning">{t('invitationHasExpired')}</Tag>
  return <Tag kind="good">{t('enabled')}</Tag>
}
