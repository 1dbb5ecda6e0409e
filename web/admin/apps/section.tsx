import { useState } from 'preact/hooks'
import type { OIDCClient, OIDCClientUpdate } from '../../../lib/client/generated/models.ts'
import { defaultScopes } from '../../../lib/features/oauth/default-scopes.models.ts'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { BodyLines, BodyText } from '../kit/body-fields.tsx'
import { CreateForm } from '../kit/edit-form.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate } from '../kit/use-save.tsx'
import { ApiPanel } from './app-apis.tsx'
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
type Kind = (typeof kinds)[number]

/** Each further scope is one that someone chose. */
const emptyApp: OIDCClientUpdate = {
  name: '',
  type: 'confidential',
  redirect_uris: [],
  scopes: [...defaultScopes],
}

const kindOf = ({ type = 'confidential', machine_permissions }: OIDCClientUpdate): Kind =>
  machine_permissions ? 'machine' : type

/** The body without the entries of another kind, which a person may have filled in first. */
const toNewApp = ({ scopes, apis, ...body }: OIDCClientUpdate): OIDCClientUpdate =>
  kindOf(body) === 'machine' ? { ...body, redirect_uris: [], apis } : { ...body, scopes }

/** Registers an app. Its secret is shown once, then its page opens. */
const NewApp = () => {
  const [created, setCreated] = useState<{ readonly app: OIDCClient; readonly secret: string } | undefined>()
  const open = (id: number): void => leaveFor(toAddress('apps', [id]))
  const form = useCreate(emptyApp, async (body) => {
    if (created) return
    const app = await client.oidcClients.createOidcClient(toNewApp(body))
    showToast(t('created', { name: app.name }))
    if (app.client_secret === null) open(app.id)
    else setCreated({ app, secret: app.client_secret })
  })
  const kind = kindOf(form.value)
  const choose = (chosen: Kind): void =>
    form.set(
      chosen === 'machine'
        ? { type: 'confidential', machine_permissions: [] }
        : { type: chosen, machine_permissions: null },
    )
  return (
    <SectionPage heading={t('newApp')} parent={{ address: toAddress('apps'), label: consoleText('apps') }}>
      <CreateForm label={t('newApp')} action={t('create')} form={form} cancelAddress={toAddress('apps')}>
        <Panel heading={t('settings')}>
          <BodyText form={form} name="name" label={t('name')} maxLength={255} required />
          <SelectField
            label={t('kind')}
            value={kind}
            options={kinds.map((one) => ({ value: one, label: t(one) }))}
            onChangeValue={(text) => choose(kinds.find((one) => one === text) ?? 'confidential')}
          />
          {kind === 'machine' ? (
            <BodyLines
              key={kind}
              form={form}
              name="machine_permissions"
              label={t('machinePermissions')}
              hint={t('onePerLine')}
            />
          ) : (
            <BodyLines form={form} name="redirect_uris" label={t('redirects')} hint={t('onePerLine')} />
          )}
        </Panel>
        {kind === 'machine' ? <ApiPanel form={form} /> : <ScopePanel form={form} />}
      </CreateForm>
      {created && <SecretDialog {...created} onClose={() => open(created.app.id)} />}
    </SectionPage>
  )
}
