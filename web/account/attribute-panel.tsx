import { useState } from 'preact/hooks'
import type { OwnAttribute } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { Form } from '../kit/form.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import {
  AttributeField,
  nameAttribute,
  readFieldText,
  showValue,
  toFieldText,
} from '../session-kit/attribute-field.tsx'
import { client } from '../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../session-kit/use-loaded.ts'
import { useAccount } from './account-state.ts'

const t = messagesOf('account')

/** The attributes that the service defines, as far as the user may see them. */
export const AttributePanel = () => {
  const { value, setValue } = useLoaded((options) => client.users.getOwnAttributes(options))
  if (!value || value.attributes.length === 0) return null
  return (
    <section class="panel" aria-label={t('attributes')}>
      <h2>{t('attributes')}</h2>
      <AttributeForm
        attributes={value.attributes}
        onSave={(attributes) => setValue({ attributes: [...attributes] })}
      />
    </section>
  )
}

interface AttributeFormProps {
  readonly attributes: readonly OwnAttribute[]
  readonly onSave: (attributes: readonly OwnAttribute[]) => void
}

const AttributeForm = ({ attributes, onSave }: AttributeFormProps) => {
  const { announce } = useAccount()
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [sent, setSent] = useState<readonly string[]>([])
  const save = useConfirmedAction(async () => {
    announce('')
    const changes = attributes.flatMap(({ name, type, value }) => {
      const text = texts[name]
      return text === undefined || text === toFieldText(value)
        ? []
        : [{ name, value: readFieldText(type, text) }]
    })
    setSent(changes.map(({ name }) => name))
    const saved = await client.users.updateOwnAttributes({ attributes: changes })
    setTexts({})
    onSave(saved.attributes)
    announce(kitText('saved'))
    return undefined
  })
  const hasProblem = (name: string): boolean =>
    (save.failure?.problem.errors ?? []).some(({ field }) =>
      field.startsWith(`attributes.${sent.indexOf(name)}.`),
    )
  return (
    <Form isRunning={save.isRunning} onSubmit={save.run} label={t('attributes')}>
      {attributes.map((attribute) =>
        attribute.can_change ? (
          <AttributeField
            key={attribute.name}
            attribute={attribute}
            problem={hasProblem(attribute.name) && t('attributeProblem')}
            value={texts[attribute.name] ?? toFieldText(attribute.value)}
            onChangeValue={(text) => setTexts({ ...texts, [attribute.name]: text })}
          />
        ) : (
          <div key={attribute.name} class="field">
            <span class="label">{nameAttribute(attribute)}</span>
            <bdi>{showValue(attribute.value)}</bdi>
          </div>
        ),
      )}
      <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
      {attributes.some(({ can_change: canChange }) => canChange) && (
        <div class="row">
          <Button type="submit" look="secondary">
            {kitText('save')}
          </Button>
        </div>
      )}
    </Form>
  )
}
