import { useState } from 'preact/hooks'
import type { OIDCClient, OIDCClientUpdate } from '../../../lib/client/generated/models.ts'
import { defaultOidcScopes } from '../../../lib/features/oauth/default-scopes.models.ts'
import { readLines, SelectField, TextAreaField, TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { CreateForm } from '../kit/edit-form.tsx'
import { problemOf } from '../kit/failure-alert.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useDraft } from '../kit/use-save.tsx'
import { ApiPanel, type AppApis } from './app-apis.tsx'
import { AppDetail } from './app-detail.tsx'
import { ScopePanel } from './app-fields.tsx'
import { SecretDialog } from './app-secrets.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('apps')

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <AppList />
  return id === 'new' ? <NewApp /> : <AppDetail id={Number(id)} />
}

const AppList = () => (
  <NamedList
    section="apps"
    heading={consoleText('apps')}
    intro={t('intro')}
    create={t('newApp')}
    search={t('search')}
    load={client.oidcClients.listOidcClients}
    columns={[
      {
        name: 'name',
        header: t('name'),
        cell: ({ id, name }) => <a href={toAddress('apps', [id])}>{name}</a>,
      },
      {
        name: 'kind',
        header: t('kind'),
        cell: ({ type, redirect_uris: { length } }) => t(length > 0 ? type : 'machine'),
      },
      { name: 'id', header: t('clientId'), cell: ({ client_id: id }) => <code>{id}</code> },
    ]}
    empty={t('empty')}
    guide="oidc-clients"
  />
)

const kinds = ['confidential', 'public', 'machine'] as const
/** Each further scope is one that someone chose. */
const emptyApp = {
  name: '',
  type: 'confidential' as (typeof kinds)[number],
  redirects: '',
  apis: [] as AppApis,
  permissions: '',
  scopes: [...defaultOidcScopes] as OIDCClient['scopes'],
}

const signInLists = [{ name: 'redirects', field: 'redirect_uris', label: 'redirects' }] as const
const machineLists = [
  { name: 'permissions', field: 'machine_permissions', label: 'machinePermissions' },
] as const

const toNewApp = (name: string, value: typeof emptyApp): OIDCClientUpdate =>
  value.type === 'machine'
    ? {
        ...{ name, type: 'confidential', redirect_uris: [], apis: value.apis },
        machine_permissions: readLines(value.permissions),
      }
    : { name, type: value.type, redirect_uris: readLines(value.redirects), scopes: value.scopes }

/** Registers an app. Its secret is shown once, then its page opens. */
const NewApp = () => {
  const draft = useDraft(emptyApp)
  const [isMissing, setMissing] = useState(false)
  const [created, setCreated] = useState<{ readonly app: OIDCClient; readonly secret: string } | undefined>()
  const { value, set } = draft
  const name = value.name.trim()
  const open = (id: number): void => leaveFor(toAddress('apps', [id]))
  const create = useConfirmedAction(async () => {
    const app = await client.oidcClients.createOidcClient(toNewApp(name, value))
    showToast(t('created', { name: app.name }))
    if (app.client_secret === null) open(app.id)
    else setCreated({ app, secret: app.client_secret })
    return undefined
  })
  return (
    <SectionPage heading={t('newApp')} parent={{ address: toAddress('apps'), label: consoleText('apps') }}>
      <CreateForm
        label={t('newApp')}
        action={t('create')}
        isChanged={draft.isChanged}
        create={create}
        cancelAddress={toAddress('apps')}
        onSubmit={() => {
          setMissing(!name)
          if (name && !created) void create.run()
        }}
      >
        <Panel heading={t('settings')}>
          <TextField
            label={t('name')}
            problem={isMissing ? kitText('required') : problemOf(create.failure, 'name')}
            autocomplete="off"
            maxLength={255}
            required
            value={value.name}
            onChangeValue={(text) => set({ name: text })}
          />
          <SelectField
            label={t('kind')}
            value={value.type}
            options={kinds.map((kind) => ({ value: kind, label: t(kind) }))}
            onChangeValue={(text) => set({ type: kinds.find((kind) => kind === text) ?? 'confidential' })}
          />
          {(value.type === 'machine' ? machineLists : signInLists).map(({ name: list, field, label }) => (
            <TextAreaField
              key={list}
              label={t(label)}
              hint={t('onePerLine')}
              problem={problemOf(create.failure, field)}
              rows={3}
              value={value[list]}
              onChangeValue={(text) => set({ [list]: text })}
            />
          ))}
        </Panel>
        {value.type === 'machine' ? (
          <ApiPanel value={value.apis} failure={create.failure} onChange={(apis) => set({ apis })} />
        ) : (
          <ScopePanel value={value.scopes} onChange={(scopes) => set({ scopes })} />
        )}
      </CreateForm>
      {created && <SecretDialog {...created} onClose={() => open(created.app.id)} />}
    </SectionPage>
  )
}
