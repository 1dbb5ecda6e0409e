import { useState } from 'preact/hooks'
import type {
  AttributeChange,
  ServiceUserDetail,
  UserAttributeDefinition,
} from '../../../lib/client/generated/models.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { isSame } from '../../kit/typed-text.ts'
import { AttributeField, nameAttribute, showValue } from '../../session-kit/attribute-field.tsx'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { useSave } from '../kit/use-save.tsx'

const access = messagesOf('access')
const consoleText = messagesOf('console')

interface UserAttributesProps {
  readonly user: ServiceUserDetail
  readonly onSave: (user: ServiceUserDetail) => void
}

/** The values of a user for the attributes of the service, if there are any. */
export const UserAttributes = (props: UserAttributesProps) => {
  const definitions = useLoaded((options) => client.users.getUserAttributes(options)).value?.attributes ?? []
  return definitions.length === 0 ? null : <ValuesForm definitions={definitions} {...props} />
}

type Values = Readonly<Record<string, AttributeChange['value']>>

const toValues = ({ attributes = [] }: ServiceUserDetail): Values =>
  Object.fromEntries(attributes.map(({ name, value }) => [name, value]))

interface ValuesFormProps extends UserAttributesProps {
  readonly definitions: readonly UserAttributeDefinition[]
}

const ValuesForm = ({ definitions, user, onSave }: ValuesFormProps) => {
  const { can } = useCurrentUser()
  const [sent, setSent] = useState<readonly string[]>([])
  const form = useSave<Values>({
    stored: toValues(user),
    read: async () => toValues(await client.users.getUser(user.id)),
    write: async (changes) => {
      const attributes = Object.entries(changes).map(([name, value = null]) => ({ name, value }))
      setSent(attributes.map(({ name }) => name))
      const saved = await client.users.patchUser(user.id, { attributes })
      onSave(saved)
      return toValues(saved)
    },
  })
  return (
    <EditForm
      label={consoleText('userAttributes')}
      form={form}
      operation="patch_user"
      failures={{ conflict: kitText('problemConflict') }}
    >
      <fieldset class="stack" disabled={!can('users:manage')}>
        <Panel heading={consoleText('userAttributes')}>
          {definitions.map((definition) => {
            const { name, type, values = [], labels = [] } = definition
            const [at, stored = null] = [sent.indexOf(name), form.base[name]]
            form.labels.set(name, nameAttribute(definition))
            const keeper = user.kept_by_directories?.find(({ attributes }) => attributes?.includes(name))
            if (keeper)
              return (
                <div key={name} class="field">
                  <span class="label">{nameAttribute(definition)}</span>
                  <bdi>{showValue(stored)}</bdi>
                  <p class="note">{access('keptBy', { name: keeper.name })}</p>
                </div>
              )
            return (
              <AttributeField
                key={name}
                attribute={{ name, type, values, labels }}
                problem={at < 0 ? undefined : problemOf(form.failure, `attributes.${at}`)}
                value={form.value[name] ?? null}
                onChange={(value) => form.set({ [name]: isSame(value, stored) ? form.base[name] : value })}
              />
            )
          })}
        </Panel>
      </fieldset>
    </EditForm>
  )
}
