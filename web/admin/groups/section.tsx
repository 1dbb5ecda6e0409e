import type { ServiceGroupDetailUpdate } from '../../../lib/client/generated/models.ts'
import { formatNumber } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { CreateForm } from '../kit/edit-form.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate } from '../kit/use-save.tsx'
import { describePermissions } from '../people/permissions.ts'
import { GroupDetail } from './group-detail.tsx'
import { GroupFields } from './group-fields.tsx'

const consoleText = messagesOf('console')
const people = messagesOf('people')
const t = messagesOf('groups')

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <GroupList />
  return id === 'new' ? <NewGroup /> : <GroupDetail id={Number(id)} />
}

const GroupList = () => {
  const { can } = useCurrentUser()
  const { value: totals } = useLoaded((options) => client.users.getTotals(options))
  return (
    <NamedList
      section="groups"
      heading={consoleText('groups')}
      intro={t('intro')}
      create={can('users:manage') ? t('newGroup') : undefined}
      search={t('search')}
      load={client.groups.listGroups}
      kindOf={() => 'group'}
      total={totals?.groups}
      columns={[
        {
          name: 'name',
          header: people('name'),
          ordering: 'name',
          cell: ({ id, name }) => <a href={toAddress('groups', [id])}>{name}</a>,
        },
        { name: 'members', header: t('members'), cell: ({ members }) => formatNumber(members.length) },
        {
          name: 'permissions',
          header: people('permissions'),
          cell: ({ permissions }) => describePermissions(permissions) || consoleText('none'),
        },
      ]}
      empty={t('empty')}
    />
  )
}

const emptyGroup: ServiceGroupDetailUpdate = { name: '', permissions: [] }

/** Creates a group. Members are added afterwards. */
const NewGroup = () => {
  const form = useCreate(emptyGroup, async (body) => {
    const { id, name } = await client.groups.createGroup(body)
    showToast(people('created', { name }))
    leaveFor(toAddress('groups', [id]))
  })
  return (
    <SectionPage
      heading={t('newGroup')}
      parent={{ address: toAddress('groups'), label: consoleText('groups') }}
    >
      <CreateForm
        label={t('newGroup')}
        action={people('create')}
        form={form}
        cancelAddress={toAddress('groups')}
        operation="create_group"
        failures={{
          conflict: kitText('problemConflict'),
          taken: people('nameTaken'),
          permission_denied: people('notAllowedForUser'),
        }}
      >
        <GroupFields form={form} required />
      </CreateForm>
    </SectionPage>
  )
}
