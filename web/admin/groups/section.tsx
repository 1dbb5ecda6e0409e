import { useState } from 'preact/hooks'
import { TextField } from '../../kit/field.tsx'
import { formatNumber } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { CreateForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-save.tsx'
import { describePermissions, PermissionFields } from '../people/permission-fields.tsx'
import { GroupDetail } from './group-detail.tsx'

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

/** Creates a group. Members are added afterwards. */
const NewGroup = () => {
  const { value, set, isChanged } = useDraft({ name: '', permissions: [] as readonly string[] })
  const [isMissing, setMissing] = useState(false)
  const name = value.name.trim()
  const create = useConfirmedAction(async () => {
    const { id } = await client.groups.createGroup({ name, permissions: value.permissions })
    showToast(people('created', { name }))
    leaveFor(toAddress('groups', [id]))
    return undefined
  })
  return (
    <SectionPage
      heading={t('newGroup')}
      parent={{ address: toAddress('groups'), label: consoleText('groups') }}
    >
      <CreateForm
        label={t('newGroup')}
        action={people('create')}
        isChanged={isChanged}
        create={create}
        cancelAddress={toAddress('groups')}
        failures={{ conflict: people('nameTaken'), permission_denied: people('notAllowedForUser') }}
        onSubmit={() => {
          setMissing(!name)
          if (name) void create.run()
        }}
      >
        <Panel heading={t('group')}>
          <TextField
            label={people('name')}
            problem={isMissing ? kitText('required') : problemOf(create.failure, 'name')}
            value={value.name}
            onChangeValue={(text) => set({ name: text })}
            autocomplete="off"
            required
          />
        </Panel>
        <PermissionFields value={value.permissions} onChange={(permissions) => set({ permissions })} />
      </CreateForm>
    </SectionPage>
  )
}
