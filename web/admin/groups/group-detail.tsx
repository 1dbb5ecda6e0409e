import { useState } from 'preact/hooks'
import type { ServiceGroupDetail } from '../../../lib/client/generated/models.ts'
import { TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { DeletePanel } from '../kit/delete-panel.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { problemOf } from '../kit/problem-of.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { useSave } from '../kit/use-save.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'
import type { FoundUser } from '../people/user-picker.tsx'
import { MemberFields } from './member-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('groups')

/** One group with its members and permissions. */
export const GroupDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.groups.getGroup(id, options))
  const { can } = useCurrentUser()
  return (
    <ShowLoaded loaded={loaded}>
      {(group) => (
        <SectionPage heading={group.name} parent={{ address: toAddress('groups'), label: t('heading') }}>
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
        </fieldset>
      </EditForm>
      <MemberFields
        known={[...group.members, ...added]}
        value={value.members}
        onChange={(members) => set({ members })}
        onAdd={(user) => setAdded((users) => [...users, user])}
      />
    </div>
  )
}
