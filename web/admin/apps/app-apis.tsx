import type { OIDCClientPartialUpdate, ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { Checkbox } from '../../kit/field.tsx'
import { chooseText, messagesOf } from '../../kit/messages.ts'
import { type BodyForm, FieldPanel } from '../kit/body-fields.tsx'
import { useProtectedApis } from '../kit/current-user.ts'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { toAddress } from '../kit/route.ts'

const t = messagesOf('apps')

type AppApis = NonNullable<OIDCClientPartialUpdate['apis']>

interface ApiPanelProps {
  readonly form: BodyForm<Pick<OIDCClientPartialUpdate, 'apis'>>
}

/** The APIs that an app may use, each with the scopes that it may ask for. */
export const ApiPanel = ({ form }: ApiPanelProps) => {
  const { apis: value = [] } = form.value
  const onChange = (apis: AppApis): void => form.set({ apis })
  const problem = problemOf(form.failure, 'apis')
  return (
    <FieldPanel form={form} name="apis" heading={t('apis')} intro={t('apisHint')}>
      <ShowLoaded loaded={useProtectedApis()}>
        {(apis) => (
          <>
            {apis.length === 0 && value.length === 0 && (
              <p>
                {t('noApis')} <a href={toAddress('apis', ['new'])}>{t('registerApi')}</a>
              </p>
            )}
            {apis.map((api) => (
              <ApiChoice key={api.id} api={api} value={value} onChange={onChange} />
            ))}
            {value
              .filter(({ audience }) => !apis.some((api) => api.audience === audience))
              .map(({ audience }) => (
                <Checkbox
                  key={audience}
                  label={<code>{audience}</code>}
                  hint={t('deletedApi')}
                  isChecked
                  onChange={() => onChange(value.filter((one) => one.audience !== audience))}
                />
              ))}
            {problem && <p class="field-problem">{problem}</p>}
          </>
        )}
      </ShowLoaded>
    </FieldPanel>
  )
}

interface ApiChoiceProps {
  readonly api: ProtectedAPI
  readonly value: AppApis
  readonly onChange: (apis: AppApis) => void
}

const ApiChoice = ({ api, value, onChange }: ApiChoiceProps) => {
  const { audience } = api
  const chosen = value.find((one) => one.audience === audience)
  const setScope = (name: string, isChecked: boolean): void =>
    onChange(
      value.map((one) =>
        one.audience === audience
          ? {
              ...one,
              scopes: isChecked ? [...one.scopes, name].sort() : one.scopes.filter((known) => known !== name),
            }
          : one,
      ),
    )
  return (
    <>
      <Checkbox
        label={api.name}
        hint={<code>{audience}</code>}
        isChecked={chosen !== undefined}
        onChange={(isChecked) =>
          onChange(
            isChecked
              ? [...value, { audience, scopes: [] }]
              : value.filter((one) => one.audience !== audience),
          )
        }
      />
      {chosen && api.scopes.length > 0 && (
        <fieldset class="stack nested" aria-label={t('scopesOf', { name: api.name })}>
          {api.scopes.map(({ name, texts }) => (
            <Checkbox
              key={name}
              label={<code>{name}</code>}
              hint={chooseText(texts)}
              isChecked={chosen.scopes.includes(name)}
              onChange={(isChecked) => setScope(name, isChecked)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
