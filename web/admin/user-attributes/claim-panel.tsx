import type { AddedClaimInput, OIDCClient, ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { BodyChoice, BodyText, choose, type RowForm } from '../kit/body-fields.tsx'
import { ChoiceList } from '../kit/choice-list.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'

const apps = messagesOf('apps')
const t = messagesOf('userAttributes')

export const newClaim: AddedClaimInput = {
  ...{ name: '', place: 'attributes', source: 'attribute', value: '' },
  ...{ outputs: ['id_token'], clients: [], apis: [] },
}

/** Who can be named. */
export interface ClaimReaders {
  readonly clients: readonly OIDCClient[]
  readonly apis: readonly ProtectedAPI[]
}

interface ClaimPanelProps {
  /** The place of the claim in the list, from 1. */
  readonly number: number
  readonly form: RowForm<AddedClaimInput>
  /** The names of the attributes. */
  readonly attributes: readonly string[]
  readonly readers: ClaimReaders
}

const places = ['attributes', 'top'] as const
const sources = ['attribute', 'organization', 'text'] as const
const outputs = ['id_token', 'userinfo', 'access_token', 'introspection'] as const
const ofApis: readonly string[] = ['access_token', 'introspection']
/** Their names are those of the interface, so that they are found in it. */
const organizationFields = ['id', 'slug', 'name', 'external_id', 'member_limit']

const describeOutput = (output: (typeof outputs)[number]): string => {
  if (output === 'id_token') return apps('inIdToken')
  if (output === 'userinfo') return apps('inUserinfo')
  return output === 'access_token' ? apps('inAccessToken') : t('introspection')
}

/** A claim: where its value comes from, where it goes, and who reads it. */
export const ClaimPanel = ({ number, form, attributes, readers }: ClaimPanelProps) => {
  const { name, source, value, outputs: chosen } = form.value
  // Several claims can have one name, for different apps.
  const heading = [t('claimNumber', { number }), name].filter(Boolean).join(': ')
  const isForApis = chosen.some((output) => ofApis.includes(output))
  return (
    <Panel heading={heading}>
      <BodyText
        form={form}
        name="name"
        label={t('claimName')}
        hint={t('claimNameHint')}
        maxLength={100}
        writing="code"
      />
      <BodyChoice
        form={form}
        name="place"
        label={t('place')}
        options={places.map((place) => ({ value: place, label: t(place) }))}
      />
      <BodyChoice
        form={{ ...form, set: (changes) => form.set({ ...changes, value: '' }) }}
        name="source"
        label={t('source')}
        options={sources.map((known) => ({ value: known, label: t(known) }))}
      />
      {source === 'text' ? (
        <BodyText form={form} name="value" label={t('text')} maxLength={255} />
      ) : (
        <BodyChoice
          form={form}
          name="value"
          label={source === 'attribute' ? t('attribute') : t('organizationField')}
          options={[
            ...(value === '' ? [''] : []),
            ...(source === 'attribute' ? attributes : organizationFields),
          ].map((known) => ({ value: known, label: known }))}
        />
      )}
      <fieldset class="stack">
        <legend>{t('outputs')}</legend>
        {outputs.map((output) => (
          <Checkbox
            key={output}
            label={describeOutput(output)}
            isChecked={chosen.includes(output)}
            onChange={(isChosen) => {
              const rest = chosen.filter((other) => other !== output)
              const next = isChosen ? [...rest, output] : rest
              const isStillForApis = next.some((other) => ofApis.includes(other))
              form.set({ outputs: next, ...(isStillForApis ? {} : { apis: [] }) })
            }}
          />
        ))}
        {showProblem(form, 'outputs')}
      </fieldset>
      <ReaderFields form={form} readers={readers} isForApis={isForApis} />
      <div class="row">
        <Button look="secondary" onClick={form.remove}>
          {t('remove', { name: heading })}
        </Button>
      </div>
    </Panel>
  )
}

const showProblem = (form: RowForm<AddedClaimInput>, name: string) => {
  const problem = problemOf(form.failure, `${form.path}${name}`)
  return problem && <p class="field-problem">{problem}</p>
}

interface ReaderFieldsProps extends Pick<ClaimPanelProps, 'form' | 'readers'> {
  readonly isForApis: boolean
}

/** Who reads the claim. One that was deleted can only be taken away. */
const ReaderFields = ({ form, readers, isForApis }: ReaderFieldsProps) => {
  const { clients, apis = [] } = form.value
  const withDeleted = <Choice extends { readonly value: string }>(
    choices: readonly Choice[],
    chosen: readonly string[],
  ) => [
    ...choices,
    ...chosen
      .filter((name) => !choices.some(({ value }) => value === name))
      .map((name) => ({ value: name, label: name, hint: t('deletedReader') })),
  ]
  return (
    <>
      <fieldset class="stack">
        <legend>{t('clients')}</legend>
        <ChoiceList
          choices={withDeleted(
            readers.clients.map((app) => ({
              value: app.client_id,
              label: app.name,
              hint: <code>{app.client_id}</code>,
            })),
            clients,
          )}
          chosen={clients}
          onChoose={(clientId, isChosen) => choose(form, 'clients', clientId, isChosen)}
          search={t('searchApps')}
          describeMore={(count) => t('moreChoices', { count })}
        />
        {showProblem(form, 'clients')}
      </fieldset>
      {isForApis && (
        <fieldset class="stack">
          <legend>{t('apis')}</legend>
          <ChoiceList
            choices={withDeleted(
              readers.apis.map((api) => ({
                value: api.audience,
                label: api.name,
                hint: <code>{api.audience}</code>,
              })),
              apis,
            )}
            chosen={apis}
            onChoose={(audience, isChosen) => choose(form, 'apis', audience, isChosen)}
            search={t('searchApis')}
            describeMore={(count) => t('moreChoices', { count })}
          />
          {showProblem(form, 'apis')}
        </fieldset>
      )}
    </>
  )
}
