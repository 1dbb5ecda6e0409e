import { useState } from 'preact/hooks'
import type { OIDCClient, OIDCClientUpdate } from '../../../lib/client/generated/models.ts'
import { registeredAgents } from '../../../lib/features/oauth/agent-presets.models.ts'
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
import { AppTry } from './app-try.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('apps')

export const Section = ({ path: [id, part] }: SectionProps) => {
  if (id === undefined) return <AppList />
  if (part === 'try') return <AppTry id={Number(id)} />
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
    kindOf={() => 'client'}
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

/** Each further scope is one that someone chose. */
const emptyApp: OIDCClientUpdate = {
  name: '',
  type: 'confidential',
  redirect_uris: ['http://localhost:8080/callback'],
  scopes: [...defaultScopes],
}

/** The fields of an app of each kind. The addresses are those of a program on the machine of its developer. */
const templates = {
  server: emptyApp,
  nextjs: {
    ...emptyApp,
    // In local mode, this service has the port that Next.js usually has.
    redirect_uris: [`http://localhost:${location.port === '3000' ? 3001 : 3000}/api/auth/callback/latchkey`],
  },
  spa: { ...emptyApp, type: 'public', post_logout_redirect_uris: ['http://localhost:8080/'] },
  native: {
    ...emptyApp,
    type: 'public',
    // Any port is accepted (RFC 8252 7.3).
    redirect_uris: ['http://127.0.0.1/callback'],
    scopes: [...defaultScopes, 'offline_access'],
  },
  machine: { ...emptyApp, redirect_uris: [], machine_permissions: [] },
} as const satisfies Readonly<Record<string, OIDCClientUpdate>>
type Kind = keyof typeof templates

const kindLabels = [
  ['nextjs', 'templateNextjs'],
  ['spa', 'templateSpa'],
  ['server', 'templateServer'],
  ['native', 'templateNative'],
  ['machine', 'machine'],
] as const satisfies readonly (readonly [Kind, string])[]

interface Template {
  readonly key: string
  readonly label: string
  readonly hint?: string
  readonly fields: Partial<OIDCClientUpdate>
}

/** What a person can build, and the agents of others that an administrator registers. */
const listTemplates = (): readonly Template[] => [
  ...kindLabels.map(([key, label]) => {
    const { name: _, ...fields } = templates[key]
    return { key, label: t(label), fields }
  }),
  ...registeredAgents.map(({ key, name, type, redirectUris: [first, ...others], isAddressLater }) => ({
    key,
    label: t('templateAgent', { name }),
    ...(isAddressLater && { hint: t('agentAddressLater', { name }) }),
    fields: {
      ...{ name, type, redirect_uris: [first, ...others] },
      scopes: [...defaultScopes, 'offline_access'] as const,
    },
  })),
]

/** The body without the entries of another kind, which a person may have filled in first. */
const toNewApp = ({ scopes, apis, ...body }: OIDCClientUpdate): OIDCClientUpdate =>
  body.machine_permissions ? { ...body, redirect_uris: [], apis } : { ...body, scopes }

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
  const options = listTemplates()
  const [template, setTemplate] = useState('server')
  const isMachine = template === 'machine'
  const choose = (key: string): void => {
    setTemplate(key)
    form.set({
      ...{ post_logout_redirect_uris: [], machine_permissions: null },
      ...options.find((one) => one.key === key)?.fields,
    })
  }
  return (
    <SectionPage heading={t('newApp')} parent={{ address: toAddress('apps'), label: consoleText('apps') }}>
      <CreateForm
        label={t('newApp')}
        action={t('create')}
        form={form}
        cancelAddress={toAddress('apps')}
        operation="create_oidc_client"
        failures={{ conflict: consoleText('tooMany') }}
      >
        <Panel heading={t('settings')}>
          <BodyText form={form} name="name" label={t('name')} maxLength={255} required />
          <SelectField
            label={t('template')}
            hint={t('templateHint')}
            value={template}
            options={options.map(({ key, label }) => ({ value: key, label }))}
            onChangeValue={choose}
          />
          {isMachine ? (
            <BodyLines
              key={template}
              form={form}
              name="machine_permissions"
              label={t('machinePermissions')}
              hint={t('onePerLine')}
            />
          ) : (
            <BodyLines
              key={template}
              form={form}
              name="redirect_uris"
              label={t('redirects')}
              hint={options.find(({ key }) => key === template)?.hint ?? t('redirectsHint')}
            />
          )}
        </Panel>
        {isMachine ? <ApiPanel form={form} /> : <ScopePanel key={template} form={form} />}
      </CreateForm>
      {created && <SecretDialog {...created} onClose={() => open(created.app.id)} />}
    </SectionPage>
  )
}
