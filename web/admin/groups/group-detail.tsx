import { useState } from 'preact/hooks'
import type { ServiceGroupDetail } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'
import { type FoundUser, UserPicker } from '../people/user-picker.tsx'

const people = messagesOf('people')
const consoleText = messagesOf('console')
const t = messagesOf('groups')

/** One group with its members and permissions. */
export const GroupDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.groups.getGroup(id, options))
  const { can } = useCurrentUser()
  return (
    <ShowLoaded loaded={loaded}>
      {(group) => (
        <SectionPage
          heading={group.name}
          parent={{ address: toAddress('groups'), label: consoleText('groups') }}
          actions={<EventsLink of={{ object: `group:${id}`, name: group.name }} />}
        >
          <GroupForm group={group} onSave={loaded.setValue} />
          {can('users:manage') && (
            <DeletePanel
              label={t('deleteGroup')}
              name={group.name}
              text={t('deleteGroupText', { count: group.members.length })}
              failures={{ permission_denied: people('notAllowedForUser') }}
              onDelete={async () => {
                await client.groups.deleteGroup(id)
                showToast(people('deleted', { name: group.name }))
                leaveFor(toAddress('groups'))
              }}
            />
          )}
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface GroupValues {
  readonly name: string
  readonly permissions: readonly string[]
  readonly members: readonly number[]
}

const toGroupValues = ({ name, permissions, members }: ServiceGroupDetail): GroupValues => ({
  name,
  permissions: [...permissions].sort(),
  members: members.map(({ id }) => id).sort((a, b) => a - b),
})

interface GroupFormProps {
  readonly group: ServiceGroupDetail
  readonly onSave: (group: ServiceGroupDetail) => void
}

const GroupForm = ({ group, onSave }: GroupFormProps) => {
  const { can } = useCurrentUser()
  const draft = useDraft(toGroupValues(group))
  const [added, setAdded] = useState<readonly FoundUser[]>([])
  const save = useSave({
    draft,
    read: async () => toGroupValues(await client.groups.getGroup(group.id)),
    write: async ({ members, ...changes }) => {
      const saved = await client.groups.patchGroup(group.id, {
        ...changes,
        ...(members ? { members: members.map((id) => ({ id })) } : {}),
      })
      onSave(saved)
      return toGroupValues(saved)
    },
  })
  const { value, set, changes } = draft
  const { failure } = save.action
  return (
    <div class="split">
      <EditForm
        label={group.name}
        draft={draft}
        save={save}
        labels={{ name: people('name'), permissions: people('permissions'), members: t('members') }}
        failures={{
          permission_denied: people('notAllowedForUser'),
          ...(changes.name === undefined ? {} : { conflict: people('nameTaken') }),
        }}
      >
        <fieldset class="stack" disabled={!can('users:manage')}>
          <Panel heading={t('group')}>
            <TextField
              label={people('name')}
              problem={problemOf(failure, 'name')}
              value={value.name}
              onChangeValue={(name) => set({ name })}
              autocomplete="off"
            />
          </Panel>
          <PermissionFields value={value.permissions} onChange={(permissions) => set({ permissions })} />
          <Alert>
            {value.permissions.length > 0 &&
              (changes.permissions !== undefined || changes.members !== undefined) &&
              t('groupLimits')}
          </Alert>
        </fieldset>
      </EditForm>
      <MemberFields
        group={group.id}
        known={[...group.members, ...added]}
        value={value.members}
        onChange={(members) => set({ members })}
        onAdd={(user) => setAdded((users) => [...users, user])}
      />
    </div>
  )
}

interface MemberFieldsProps {
  /** The ID of the group. */
  readonly group: number
  /** Users whose names are known. */
  readonly known: readonly FoundUser[]
  /** The IDs of the members. */
  readonly value: readonly number[]
  readonly onChange: (members: number[]) => void
  readonly onAdd: (user: FoundUser) => void
}

/** The members of a group. Changes are saved with the form of the group. */
const MemberFields = ({ group, known, value, onChange, onAdd }: MemberFieldsProps) => {
  const { can } = useCurrentUser()
  const canManage = can('users:manage')
  const nameOf = (id: number): string => known.find((user) => user.id === id)?.username ?? String(id)
  return (
    <Panel heading={t('members')}>
      {value.length === 0 ? (
        <p>{t('noMembers')}</p>
      ) : (
        <>
          <p>
            <a href={toAddress('users', [], { group: String(group) })}>{t('membersAsList')}</a>
          </p>
          <ul class="items">
            {value.map((id) => (
              <li key={id}>
                <a href={toAddress('users', [id])}>{nameOf(id)}</a>
                {canManage && (
                  <Button
                    look="secondary"
                    onClick={({ currentTarget }) => {
                      focusNeighbor(currentTarget)
                      onChange(value.filter((given) => given !== id))
                    }}
                  >
                    {people('remove')}
                    <span class="for-screen-readers"> {nameOf(id)}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {canManage && (
        <>
          <h3>{t('addMembers')}</h3>
          <UserPicker
            action={people('add')}
            without={value}
            onPick={(user) => {
              onAdd(user)
              onChange([...value, user.id].sort((a, b) => a - b))
            }}
          />
        </>
      )}
    </Panel>
  )
}

/** Moves the focus to the button of the next entry, because this one goes away. */
const focusNeighbor = (button: HTMLElement): void => {
  const entry = button.closest('li')
  const neighbor = entry?.nextElementSibling ?? entry?.previousElementSibling
  neighbor?.querySelector('button')?.focus()
}
