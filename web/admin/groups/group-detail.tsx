import type {
  ServiceGroupDetail,
  ServiceGroupDetailPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/button.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed } from '../kit/managed.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { TabPanel, Tabs } from '../kit/tabs.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import { GroupFields } from './group-fields.tsx'
import { GroupMembers } from './group-members.tsx'

const people = messagesOf('people')
const consoleText = messagesOf('console')
const t = messagesOf('groups')

const withoutMembers = { include_members: false } as const

/** One group with its members and permissions. */
export const GroupDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.groups.getGroup(id, withoutMembers, options))
  const { can } = useCurrentUser()
  return (
    <Managed kind="group" id={id}>
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
                    text={t('deleteGroupText')}
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
            <Tabs
              label={group.name}
              tabs={[
                { name: 'members', label: t('members') },
                { name: 'permissions', label: people('permissions') },
              ]}
            >
              <TabPanel name="members">
                <GroupMembers group={group} />
              </TabPanel>
              <GroupForm group={group} onSave={loaded.setValue} />
            </Tabs>
          </SectionPage>
        )}
      </ShowLoaded>
    </Managed>
  )
}

interface GroupFormProps {
  readonly group: ServiceGroupDetail
  readonly onSave: (group: ServiceGroupDetail) => void
}

/** What all members share. Members are changed apart from it. */
const GroupForm = ({ group, onSave }: GroupFormProps) => {
  const { can } = useCurrentUser()
  const form = useSave<ServiceGroupDetailPartialUpdate, ServiceGroupDetail>({
    stored: group,
    read: () => client.groups.getGroup(group.id, withoutMembers),
    write: (changes) => client.groups.patchGroup(group.id, changes),
    onSave,
  })
  const { value, changes } = form
  return (
    <EditForm
      label={group.name}
      form={form}
      operation="patch_group"
      failures={{
        permission_denied: people('notAllowedForUser'),
        conflict: kitText('problemConflict'),
        taken: people('nameTaken'),
      }}
    >
      <fieldset class="stack" disabled={!can('users:manage')}>
        <TabPanel name="permissions">
          <GroupFields form={form} />
          <Alert>
            {(value.permissions ?? []).length > 0 && changes.permissions !== undefined && t('groupLimits')}
          </Alert>
        </TabPanel>
      </fieldset>
    </EditForm>
  )
}
