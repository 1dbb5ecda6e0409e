import type { ServiceGroupDetailPartialUpdate } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { type BodyForm, BodyText } from '../kit/body-fields.tsx'
import { Panel } from '../kit/panel.tsx'
import { PermissionFields } from '../people/permission-fields.tsx'

const people = messagesOf('people')
const t = messagesOf('groups')

interface GroupFieldsProps<Body extends ServiceGroupDetailPartialUpdate> {
  readonly form: BodyForm<Body>
  readonly required?: boolean
}

/** What administrators decide about a group, apart from its members. */
export const GroupFields = <Body extends ServiceGroupDetailPartialUpdate>(props: GroupFieldsProps<Body>) => {
  // What has the fields of a group is edited as one.
  const form = props.form as BodyForm<ServiceGroupDetailPartialUpdate>
  const { required = false } = props
  return (
    <>
      <Panel heading={t('group')}>
        <BodyText form={form} name="name" label={people('name')} required={required} />
      </Panel>
      <PermissionFields form={form} name="permissions" />
    </>
  )
}
