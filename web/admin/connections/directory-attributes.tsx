import { useState } from 'preact/hooks'
import type { ScimState, UserAttributes } from '../../../lib/client/generated/models.ts'
import { attributeSources } from '../../../lib/features/provisioning/attribute-sources.models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { SelectField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import type { DirectoryApi } from '../../session-kit/directory/directory-api.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { showToast } from '../kit/toast.tsx'

const t = messagesOf('connections')
const consoleText = messagesOf('console')

type Mapping = NonNullable<ScimState['user_attributes']>

/** Which attributes of users a directory fills, and with what. */
export const DirectoryAttributes = ({ api }: { readonly api: DirectoryApi }) => {
  const loaded = useLoaded(
    async (options) => ({
      state: await api.getState(options),
      defined: await client.users.getUserAttributes(options),
    }),
    api.key,
  )
  return (
    <ShowLoaded loaded={loaded}>
      {({ state, defined }) =>
        state.enabled ? (
          <Panel heading={t('directoryAttributes')} intro={t('directoryAttributesText')}>
            {defined.attributes.length === 0 && state.user_attributes.length === 0 ? (
              <p>
                {t('noUserAttributes')}{' '}
                <a href={toAddress('user-attributes')}>{consoleText('userAttributes')}</a>
              </p>
            ) : (
              <MappingForm api={api} state={state} defined={defined} />
            )}
          </Panel>
        ) : null
      }
    </ShowLoaded>
  )
}

interface MappingFormProps {
  readonly api: DirectoryApi
  readonly state: ScimState
  readonly defined: UserAttributes
}

const MappingForm = ({ api, state, defined }: MappingFormProps) => {
  const [mapping, setMapping] = useState<Mapping>(state.user_attributes)
  // An attribute that was removed since is still named, until another choice takes its place.
  const names = [...new Set([...defined.attributes.map(({ name }) => name), ...mapping.map(({ to }) => to)])]
  const choose = (to: string, source: string): void => {
    const from = attributeSources.find((one) => one === source)
    const others = mapping.filter((one) => one.to !== to)
    setMapping(from ? [...others, { from, to }] : others)
  }
  const save = useConfirmedAction(async () => {
    // What the panel above changed since stays.
    const { signal } = new AbortController()
    const { enabled, match_to, match_attribute, creates_unknown_users } = await api.getState({ signal })
    await api.setSettings({
      ...{ enabled, match_to, match_attribute, creates_unknown_users },
      user_attributes: mapping,
    })
    showToast(kitText('saved'))
    return undefined
  })
  return (
    <Form isRunning={save.isRunning} onSubmit={() => void save.run()} label={t('directoryAttributes')}>
      {names.map((name) => (
        <SelectField
          key={name}
          label={name}
          value={mapping.find(({ to }) => to === name)?.from ?? ''}
          options={[
            { value: '', label: t('notFromDirectory') },
            ...attributeSources.map((source) => ({ value: source, label: source })),
          ]}
          onChangeValue={(source) => choose(name, source)}
        />
      ))}
      <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
      <div class="row">
        <Button type="submit" look="secondary">
          {kitText('save')}
        </Button>
      </div>
    </Form>
  )
}
