import { useState } from 'preact/hooks'
import { TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { CreateForm } from '../kit/create-form.tsx'
import { Panel } from '../kit/panel.tsx'
import { problemOf } from '../kit/problem-of.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-draft.ts'
import { PermissionFields } from '../people/permission-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('groups')

/** Creates a group. Members are added afterwards. */
export const NewGroup = () => {
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
    <SectionPage heading={t('newGroup')} parent={{ address: toAddress('groups'), label: t('heading') }}>
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
