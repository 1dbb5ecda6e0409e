import { useState } from 'preact/hooks'
import type { AttributeChange, OwnAttribute } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { Form } from '../kit/form.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { isSame } from '../kit/typed-text.ts'
import { AttributeField, nameAttribute, showValue } from '../session-kit/attribute-field.tsx'
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
  const [changes, setChanges] = useState<readonly AttributeChange[]>([])
  const [sent, setSent] = useState<readonly string[]>([])
  const save = useConfirmedAction(async () => {
    announce('')
    setSent(changes.map(({ name }) => name))
    const saved = await client.users.updateOwnAttributes({ attributes: changes })
    setChanges([])
    onSave(saved.attributes)
    announce(kitText('saved'))
    return undefined
  })
  const find = (wanted: string) => changes.find(({ name }) => name === wanted)
  const change = ({ name, value: before }: OwnAttribute, value: AttributeChange['value']): void => {
    const others = changes.filter((one) => one.name !== name)
    setChanges(isSame(value, before) ? others : [...others, { name, value }])
  }
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
            value={(find(attribute.name) ?? attribute).value}
            onChange={(value) => change(attribute, value)}
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
