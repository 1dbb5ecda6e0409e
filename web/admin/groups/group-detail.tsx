import { useState } from 'preact/hooks'
import type {
  ServiceGroupDetail,
  ServiceGroupDetailPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type BodyForm, BodyText, choose, FieldPanel, listIn } from '../kit/body-fields.tsx'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
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
          actions={
            <>
              <EventsLink of={{ object: `group:${id}`, name: group.name }} />
              {can('users:manage') && (
                <DeleteButton
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
            </>
          }
        >
          <GroupForm group={group} onSave={loaded.setValue} />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface GroupFormProps {
  readonly group: ServiceGroupDetail
  readonly onSave: (group: ServiceGroupDetail) => void
}

/** A group as a request has it: with the IDs of its members. */
interface GroupBody extends Omit<ServiceGroupDetailPartialUpdate, 'members'> {
  readonly members?: readonly number[]
}

const toBody = ({ members, ...group }: ServiceGroupDetail): GroupBody => ({
  ...group,
  members: members.map(({ id }) => id),
})

const GroupForm = ({ group, onSave }: GroupFormProps) => {
  const { can } = useCurrentUser()
  const [added, setAdded] = useState<readonly FoundUser[]>([])
  const form = useSave<GroupBody>({
    stored: toBody(group),
    read: async () => toBody(await client.groups.getGroup(group.id)),
    write: async (changes) => {
      const saved = await client.groups.patchGroup(group.id, changes)
      onSave(saved)
      return toBody(saved)
    },
  })
  const { value, changes } = form
  return (
    <div class="split">
      <EditForm
        label={group.name}
        form={form}
        failures={{
          permission_denied: people('notAllowedForUser'),
          ...(changes.name === undefined ? {} : { conflict: people('nameTaken') }),
        }}
      >
        <fieldset class="stack" disabled={!can('users:manage')}>
          <Panel heading={t('group')}>
            <BodyText form={form} name="name" label={people('name')} />
          </Panel>
          <PermissionFields form={form} name="permissions" />
          <Alert>
            {(value.permissions ?? []).length > 0 &&
              (changes.permissions !== undefined || changes.members !== undefined) &&
              t('groupLimits')}
          </Alert>
        </fieldset>
      </EditForm>
      <MemberFields
        group={group.id}
        known={[...group.members, ...added]}
        form={form}
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
  readonly form: BodyForm<GroupBody>
  readonly onAdd: (user: FoundUser) => void
}

/** The members of a group. Changes are saved with the form of the group. */
const MemberFields = ({ group, known, form, onAdd }: MemberFieldsProps) => {
  const value = listIn<number>(form.value, 'members')
  const setMember = (id: number, isMember: boolean): void => choose(form, 'members', id, isMember)
  const { can } = useCurrentUser()
  const canManage = can('users:manage')
  const nameOf = (id: number): string => known.find((user) => user.id === id)?.username ?? String(id)
  return (
    <FieldPanel form={form} name="members" heading={t('members')}>
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
                      setMember(id, false)
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
              setMember(user.id, true)
            }}
          />
        </>
      )}
    </FieldPanel>
  )
}

/** Moves the focus to the button of the next entry, because this one goes away. */
const focusNeighbor = (button: HTMLElement): void => {
  const entry = button.closest('li')
  const neighbor = entry?.nextElementSibling ?? entry?.previousElementSibling
  neighbor?.querySelector('button')?.focus()
}
