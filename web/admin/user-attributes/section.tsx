import type {
  AddedClaimInput,
  OIDCClient,
  UserAttributeDefinitionInput,
  UserAttributes,
  UserAttributesInput,
} from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { pageData } from '../../kit/start-path.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import {
  BodyChoice,
  BodyFlag,
  type BodyForm,
  BodyLines,
  BodyOptionalText,
  BodyText,
  type RowForm,
  rowInBody,
} from '../kit/body-fields.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed } from '../kit/managed.tsx'
import { Panel } from '../kit/panel.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { useSave } from '../kit/use-save.tsx'
import { ClaimPanel, type ClaimReaders, newClaim } from './claim-panel.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('userAttributes')

export const Section = () => {
  const loaded = useLoaded(async (options) => {
    const [definitions, clients, apis] = await Promise.all([
      client.users.getUserAttributes(options),
      readClients(options),
      client.oidcClients.listProtectedApis({ limit: 100 }, options),
    ])
    return { definitions, readers: { clients, apis: apis.items } }
  })
  return (
    <Managed kind="user_attributes">
      <SectionPage heading={consoleText('userAttributes')} intro={t('intro')}>
        <ShowLoaded loaded={loaded}>{(shown) => <DefinitionsForm {...shown} />}</ShowLoaded>
      </SectionPage>
    </Managed>
  )
}

/** A definition, and whether it was not saved yet. The type of others stays as it is. */
interface Definition extends UserAttributeDefinitionInput {
  readonly isNew?: boolean
}

interface Definitions {
  readonly attributes: readonly Definition[]
  readonly claims?: readonly AddedClaimInput[]
}

const toBody = ({ attributes, claims = [] }: Definitions): UserAttributesInput => ({
  attributes: attributes.map(({ isNew: _, ...attribute }) => attribute),
  claims,
})

/** More than there can be. */
const limit = 1000

/** All clients that a claim can name. Those that describe themselves have an address as `client_id`, and cannot be named. */
const readClients = async (options: { readonly signal: AbortSignal }): Promise<readonly OIDCClient[]> => {
  const { items } = await client.oidcClients.listOidcClients({ ordering: 'name', limit }, options)
  return items.filter(({ client_id: clientId }) => !/^https?:/.test(clientId))
}

const newDefinition: Definition = { name: '', type: 'text', user_access: 'none', isNew: true }

interface DefinitionsFormProps {
  readonly definitions: UserAttributes
  readonly readers: ClaimReaders
}

const DefinitionsForm = ({ definitions, readers }: DefinitionsFormProps) => {
  const form = useSave<Definitions>({
    stored: definitions,
    read: () => client.users.getUserAttributes(),
    write: (changes, current) => client.users.updateUserAttributes(toBody({ ...current, ...changes })),
  })
  const { attributes, claims = [] } = form.value
  const addButton = (
    <Button look="secondary" onClick={() => form.set({ attributes: [...attributes, newDefinition] })}>
      {t('add')}
    </Button>
  )
  form.labels.set('attributes', consoleText('userAttributes'))
  form.labels.set('claims', t('claims'))
  return (
    <EditForm
      label={consoleText('userAttributes')}
      form={form}
      operation="update_user_attributes"
      failures={{ conflict: kitText('problemConflict') }}
    >
      {attributes.map((_, at) => (
        <DefinitionPanel key={at} form={rowInBody(form, 'attributes', at)} />
      ))}
      {attributes.length === 0 ? (
        <div class="empty">
          <p>{t('empty')}</p>
          {addButton}
          <a href="/docs#tag-users">{consoleText('readGuide')}</a>
        </div>
      ) : (
        <div class="row">{addButton}</div>
      )}
      <h2>{t('claims')}</h2>
      <p>{t('claimsIntro')}</p>
      {claims.map((_, at) => (
        <ClaimPanel
          key={at}
          number={at + 1}
          form={rowInBody(form, 'claims', at)}
          attributes={attributes.map(({ name }) => name)}
          readers={readers}
        />
      ))}
      <div class="row">
        <Button look="secondary" onClick={() => form.set({ claims: [...claims, newClaim] })}>
          {t('addClaim')}
        </Button>
      </div>
    </EditForm>
  )
}

const types = ['text', 'number', 'boolean', 'date', 'texts'] as const
const accesses = ['none', 'read', 'write'] as const

const DefinitionPanel = ({ form }: { readonly form: RowForm<Definition> }) => {
  const { name, type, isNew = false, is_searchable: isSearchable } = form.value
  return (
    <Panel
      heading={name || t('newAttribute')}
      intro={!isNew && `${t(type)}${isSearchable ? ` · ${t('searchable')}` : ''}`}
    >
      {isNew && (
        <BodyText
          form={form}
          name="name"
          label={t('name')}
          hint={t('nameHint')}
          maxLength={50}
          writing="code"
        />
      )}
      <LabelField form={form} />
      {isNew && (
        <BodyChoice
          form={form}
          name="type"
          label={t('type')}
          hint={t('typeHint')}
          options={types.map((known) => ({ value: known, label: t(known) }))}
        />
      )}
      {(type === 'text' || type === 'texts') && (
        <BodyLines form={form} name="values" label={t('values')} hint={t('valuesHint')} rows={2} />
      )}
      <BodyChoice
        form={form}
        name="user_access"
        label={t('userAccess')}
        options={accesses.map((known) => ({ value: known, label: t(known) }))}
      />
      <BodyOptionalText
        form={form}
        name="claim"
        label={t('claim')}
        hint={t('claimHint')}
        maxLength={64}
        writing="code"
      />
      {isNew && type === 'text' && (
        <BodyFlag form={form} name="is_searchable" label={t('searchable')} hint={t('searchableHint')} />
      )}
      {problemOf(form.failure, `${form.path}is_searchable`)}
      <div class="row">
        <Button look="secondary" onClick={form.remove}>
          {t('remove', { name: name || t('newAttribute') })}
        </Button>
        {!isNew && <span class="note">{t('removeHint')}</span>}
      </div>
    </Panel>
  )
}

/** The label in the language of the console. Those of other languages stay. */
const LabelField = ({ form }: { readonly form: BodyForm<Definition> }) => {
  const { language } = pageData
  const { labels = [] } = form.value
  const others = labels.filter((label) => label.language !== language)
  return (
    <TextField
      label={t('label')}
      hint={t('labelHint')}
      problem={problemOf(form.failure, `${form.path}labels`)}
      autocomplete="off"
      maxLength={100}
      value={labels.find((label) => label.language === language)?.label ?? ''}
      onChangeValue={(label) =>
        form.set({ labels: label.trim() === '' ? others : [...others, { language, label }] })
      }
    />
  )
}
