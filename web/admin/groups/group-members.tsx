import { useEffect, useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useList } from '../../session-kit/use-list.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { SearchField } from '../kit/filters.tsx'
import { Initials } from '../kit/initials.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { showToast } from '../kit/toast.tsx'
import { type FoundUser, UserPicker } from '../people/user-picker.tsx'
import { FindSeveral, findEach } from '../users/find-several.tsx'
import { UserState } from '../users/user-list.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const users = messagesOf('users')
const access = messagesOf('access')
const t = messagesOf('groups')

const listFailures = () => ({
  permission_denied: people('notAllowedForUser'),
  managed_by_directory: access('keptElsewhere'),
})

const listColumns = (): readonly Column<ServiceUserDetail>[] => [
  {
    name: 'name',
    header: users('username'),
    ordering: 'username',
    cell: ({ id, username, display_name: name }) => (
      <span class="named">
        <Initials name={name} />
        <a href={toAddress('users', [id])}>{username}</a>
      </span>
    ),
  },
  {
    name: 'full-name',
    header: users('fullName'),
    cell: ({ display_name: name, username }) => (name === username ? '–' : name),
  },
  { name: 'email', header: users('email'), cell: ({ email }) => email ?? '–' },
  { name: 'state', header: users('state'), cell: (user) => <UserState user={user} /> },
]

interface GroupProps {
  readonly group: { readonly id: number; readonly name: string; readonly permissions: readonly string[] }
}

/** The members of a group by name, with a search. They are added and removed together, and at once. */
export const GroupMembers = ({ group }: GroupProps) => {
  const { query } = useRoute()
  const { can } = useCurrentUser()
  const canManage = can('users:manage')
  const filter = query.get('filter') ?? ''
  const ordering = query.get('ordering') === '-username' ? '-username' : 'username'
  const [selected, select] = useState<readonly ServiceUserDetail[]>([])
  const [open, setOpen] = useState<'add' | 'remove' | undefined>()
  const change = (changes: Readonly<Record<string, string>>): void =>
    replaceQuery({ ...Object.fromEntries(query), ...changes })
  const key = `${filter} ${ordering}`
  // Members that the list no longer shows must not be removed with the others.
  useEffect(() => select([]), [key])
  const list = useList(
    (page, options) =>
      client.users.listUsers(
        {
          ...page,
          groups: group.id,
          ordering,
          include_effective_permissions: false,
          ...(filter ? { filter } : {}),
        },
        options,
      ),
    key,
    { firstSize: 12 },
  )
  const end = (): void => {
    setOpen(undefined)
    select([])
    list.reload()
  }
  return (
    <>
      <div class="toolbar">
        <SearchField
          label={t('searchMembers')}
          value={filter}
          onSearch={(text) => change({ filter: text })}
        />
        {canManage && <Button onClick={() => setOpen('add')}>{t('addMembers')}</Button>}
      </div>
      {selected.length > 0 && (
        <section class="bulk-bar" aria-label={users('actions')}>
          <strong role="status">{users('selected', { count: selected.length })}</strong>
          <Button look="danger" onClick={() => setOpen('remove')}>
            {t('removeMembers')}
          </Button>
          <Button look="quiet" onClick={() => select([])}>
            {users('clearSelection')}
          </Button>
        </section>
      )}
      <DataList
        label={t('members')}
        list={list}
        idOf={({ id }) => id}
        columns={listColumns()}
        ordering={ordering}
        onOrder={(field) => change({ ordering: field })}
        selection={
          canManage
            ? {
                items: selected,
                set: select,
                canSelect: () => true,
                describe: ({ username }) => users('select', { name: username }),
              }
            : undefined
        }
        empty={<p>{filter ? consoleText('noResults') : t('noMembers')}</p>}
      />
      {open === 'add' && <AddMembers group={group} onEnd={end} onClose={() => setOpen(undefined)} />}
      {open === 'remove' && (
        <ConfirmDialog
          heading={consoleText('labeled', {
            label: t('removeMembers'),
            name: users('userCount', { count: selected.length }),
          })}
          action={t('removeMembers')}
          failures={listFailures()}
          onConfirm={async () => {
            await changeMembers(
              group.id,
              selected.map(({ id }) => ({ remove: id })),
            )
            showToast(t('membersRemoved', { count: selected.length }))
            end()
            return undefined
          }}
          onClose={() => setOpen(undefined)}
        >
          <p>{t('removeMembersText')}</p>
          <p class="note">{listNames(selected)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** A request changes as many. */
const mostAtOnce = 1000

/** Adds or removes any number of members. What a failed call left is done by the next attempt. */
const changeMembers = async (
  group: number,
  changes: readonly { readonly add?: number; readonly remove?: number }[],
): Promise<void> => {
  for (let from = 0; from < changes.length; from += mostAtOnce) {
    const some = changes.slice(from, from + mostAtOnce)
    await client.groups.changeGroupMembers(group, {
      add: some.flatMap(({ add }) => add ?? []),
      remove: some.flatMap(({ remove }) => remove ?? []),
    })
  }
}

/** More names would hide the question. */
const shownNames = 8

const listNames = (found: readonly FoundUser[]): string => {
  const names = found.slice(0, shownNames).map(({ username }) => username)
  return found.length > shownNames ? `${names.join(', ')} …` : formatList(names)
}

interface AddMembersProps extends GroupProps {
  readonly onEnd: () => void
  readonly onClose: () => void
}

/** Finds people one by one or by a list, and adds all of them together. */
const AddMembers = ({ group, onEnd, onClose }: AddMembersProps) => {
  const [chosen, setChosen] = useState<readonly FoundUser[]>([])
  const [missing, setMissing] = useState<readonly string[]>([])
  const [isPasting, setPasting] = useState(false)
  const find = useConfirmedAction(async (names: readonly string[]) => {
    const found = await findEach(names, { signal: new AbortController().signal })
    setMissing(found.missing)
    setChosen((before) => [
      ...before,
      ...found.users.filter(({ id }) => !before.some((other) => other.id === id)),
    ])
    return undefined
  })
  const add = useConfirmedAction(async () => {
    await changeMembers(
      group.id,
      chosen.map(({ id }) => ({ add: id })),
    )
    showToast(t('membersAdded', { count: chosen.length }))
    onEnd()
    return undefined
  })
  if (isPasting)
    return (
      <FindSeveral
        pasted=""
        onFind={(names) => {
          setPasting(false)
          void find.run(names)
        }}
        onClose={() => setPasting(false)}
      />
    )
  return (
    <Dialog heading={consoleText('labeled', { label: t('addMembers'), name: group.name })} onClose={onClose}>
      <UserPicker
        action={people('add')}
        without={chosen.map(({ id }) => id)}
        onPick={(user) => setChosen((before) => [...before, user])}
      />
      <Button look="quiet" onClick={() => setPasting(true)}>
        {users('findSeveral')}
      </Button>
      <Alert kind="warning">
        {missing.length > 0 && users('namesNotFound', { names: formatList(missing) })}
      </Alert>
      <p role="status">
        {chosen.length === 0
          ? t('noneChosen')
          : `${users('userCount', { count: chosen.length })}: ${listNames(chosen)}`}
      </p>
      {group.permissions.length > 0 && <p class="note">{t('groupLimits')}</p>}
      <FailureAlert failure={add.failure ?? find.failure} failures={listFailures()} />
      <div class="row">
        <Button
          isRunning={add.isRunning || find.isRunning}
          onClick={() => {
            if (chosen.length > 0) void add.run()
          }}
        >
          {t('addMembers')}
        </Button>
        <Button look="secondary" onClick={onClose}>
          {kitText('cancel')}
        </Button>
      </div>
    </Dialog>
  )
}
