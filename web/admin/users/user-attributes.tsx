import { useState } from 'preact/hooks'
import type { ServiceUserDetail, UserAttributeDefinition } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import {
  AttributeField,
  nameAttribute,
  readFieldText,
  toFieldText,
} from '../../session-kit/attribute-field.tsx'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'

const consoleText = messagesOf('console')

/** What the console calls an attribute. */
export const nameDefinition = ({ name, labels = [] }: UserAttributeDefinition): string =>
  nameAttribute({ name, labels })

interface UserAttributesProps {
  readonly user: ServiceUserDetail
  readonly onSave: (user: ServiceUserDetail) => void
}

/** The values of a user for the attributes of the service, if there are any. */
export const UserAttributes = (props: UserAttributesProps) => {
  const definitions = useLoaded((options) => client.users.getUserAttributes(options)).value?.attributes ?? []
  return definitions.length === 0 ? null : <ValuesForm definitions={definitions} {...props} />
}

type Values = Readonly<Record<string, string>>

interface ValuesFormProps extends UserAttributesProps {
  readonly definitions: readonly UserAttributeDefinition[]
}

const ValuesForm = ({ definitions, user, onSave }: ValuesFormProps) => {
  const { can } = useCurrentUser()
  const toValues = (read: ServiceUserDetail): Values => {
    const values = new Map(read.attributes?.map(({ name, value }) => [name, value]))
    return Object.fromEntries(definitions.map(({ name }) => [name, toFieldText(values.get(name))]))
  }
  const draft = useDraft<Values>(toValues(user))
  const [sent, setSent] = useState<readonly string[]>([])
  const save = useSave<Values>({
    draft,
    read: async () => toValues(await client.users.getUser(user.id)),
    write: async (changes) => {
      const attributes = definitions.flatMap(({ name, type }) => {
        const text = changes[name]
        return text === undefined ? [] : [{ name, value: readFieldText(type, text) }]
      })
      setSent(attributes.map(({ name }) => name))
      const saved = await client.users.patchUser(user.id, { attributes })
      onSave(saved)
      return toValues(saved)
    },
  })
  const labels = Object.fromEntries(definitions.map((one) => [one.name, nameDefinition(one)]))
  return (
    <EditForm label={consoleText('userAttributes')} draft={draft} save={save} labels={labels}>
      <fieldset class="stack" disabled={!can('users:manage')}>
        <Panel heading={consoleText('userAttributes')}>
          {definitions.map((definition) => {
            const { name, type, values = [], labels: texts = [] } = definition
            const at = sent.indexOf(name)
            return (
              <AttributeField
                key={name}
                attribute={{ name, type, values, labels: texts }}
                problem={at < 0 ? undefined : problemOf(save.action.failure, `attributes.${at}`)}
                value={draft.value[name] ?? ''}
                onChangeValue={(text) => draft.set({ [name]: text })}
              />
            )
          })}
        </Panel>
      </fieldset>
    </EditForm>
  )
}
