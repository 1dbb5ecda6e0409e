import { useState } from 'preact/hooks'
import type { ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction, useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/confirm-dialog.tsx'
import { CreateForm, EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft, useSave } from '../kit/use-save.tsx'
import { ApiFields, type ApiValues, getLabels, toApiValues } from './api-fields.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('protectedApis')

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <ApiList />
  return id === 'new' ? <NewApi /> : <ApiDetail id={Number(id)} />
}

const ApiList = () => (
  <NamedList
    section="apis"
    heading={consoleText('apis')}
    intro={t('intro')}
    create={t('newApi')}
    search={t('search')}
    load={client.oidcClients.listProtectedApis}
    columns={[
      {
        name: 'name',
        header: t('name'),
        cell: ({ id, name }) => <a href={toAddress('apis', [id])}>{name}</a>,
      },
      { name: 'audience', header: t('audience'), cell: ({ audience }) => <code>{audience}</code> },
      {
        name: 'scopes',
        header: t('scopeName'),
        cell: ({ scopes }) => scopes.map(({ name }) => name).join(', ') || consoleText('none'),
      },
    ]}
    empty={t('empty')}
    guide="oidc-clients"
  />
)

const emptyApi: ApiValues & { readonly audience: string } = {
  name: '',
  audience: '',
  permissions: [],
  scopes: [],
  unregistered_clients: false,
}

/** Registers an API, then opens its page. */
const NewApi = () => {
  const draft = useDraft(emptyApi)
  const [isSubmitted, setSubmitted] = useState(false)
  const { value, set } = draft
  const [name, audience] = [value.name.trim(), value.audience.trim()]
  const create = useConfirmedAction(async () => {
    const api = await client.oidcClients.createProtectedApi({ ...value, name, audience })
    showToast(t('created', { name: api.name }))
    leaveFor(toAddress('apis', [api.id]))
    return undefined
  })
  const problem = (field: 'name' | 'audience', text: string) =>
    isSubmitted && !text ? kitText('required') : problemOf(create.failure, field)
  return (
    <SectionPage heading={t('newApi')} parent={{ address: toAddress('apis'), label: consoleText('apis') }}>
      <CreateForm
        label={t('newApi')}
        action={t('create')}
        isChanged={draft.isChanged}
        create={create}
        cancelAddress={toAddress('apis')}
        onSubmit={() => {
          setSubmitted(true)
          if (name && audience) void create.run()
        }}
      >
        <Panel heading={t('settings')}>
          <TextField
            label={t('name')}
            problem={problem('name', name)}
            autocomplete="off"
            maxLength={255}
            required
            value={value.name}
            onChangeValue={(text) => set({ name: text })}
          />
          <TextField
            label={t('audience')}
            hint={t('audienceHint')}
            problem={problem('audience', audience)}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            maxLength={255}
            required
            value={value.audience}
            onChangeValue={(text) => set({ audience: text })}
          />
        </Panel>
        <ApiFields draft={draft} failure={create.failure} />
      </CreateForm>
    </SectionPage>
  )
}

const ApiDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcClients.getProtectedApi(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(api) => (
        <SectionPage
          heading={api.name}
          parent={{ address: toAddress('apis'), label: consoleText('apis') }}
          actions={<EventsLink of={{ object: `api:${id}`, name: api.name }} />}
        >
          <Panel heading={t('connection')} intro={t('connectionText')}>
            <CopyFacts
              facts={[
                { label: t('audience'), value: api.audience },
                { label: t('issuer'), value: location.origin },
                { label: t('keys'), value: `${location.origin}/.well-known/jwks.json` },
              ]}
            />
          </Panel>
          <ApiForm api={api} onSave={loaded.setValue} />
          <DeletePanel
            label={t('remove')}
            name={api.name}
            text={t('removeText')}
            onDelete={async () => {
              await client.oidcClients.deleteProtectedApi(id)
              showToast(t('removed', { name: api.name }))
              leaveFor(toAddress('apis'))
            }}
          />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface ApiFormProps {
  readonly api: ProtectedAPI
  readonly onSave: (api: ProtectedAPI) => void
}

const ApiForm = ({ api, onSave }: ApiFormProps) => {
  const draft = useDraft(toApiValues(api))
  const save = useSave({
    draft,
    read: async () => toApiValues(await client.oidcClients.getProtectedApi(api.id)),
    write: async (changes) => {
      const saved = await client.oidcClients.patchProtectedApi(api.id, changes)
      onSave(saved)
      return toApiValues(saved)
    },
  })
  const { failure } = save.action
  return (
    <EditForm label={t('settings')} draft={draft} save={save} labels={getLabels()}>
      <Panel heading={t('settings')}>
        <TextField
          label={t('name')}
          problem={problemOf(failure, 'name')}
          autocomplete="off"
          maxLength={255}
          value={draft.value.name}
          onChangeValue={(name) => draft.set({ name })}
        />
      </Panel>
      <ApiFields draft={draft} failure={failure} />
    </EditForm>
  )
}
