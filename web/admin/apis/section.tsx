import { useState } from 'preact/hooks'
import type {
  ProtectedAPI,
  ProtectedAPIPartialUpdate,
  ProtectedAPIUpdate,
} from '../../../lib/client/generated/models.ts'
import { describedAgents } from '../../../lib/features/oauth/agent-presets.models.ts'
import { Checkbox } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type BodyForm, BodyLines, BodyLinesOf, BodyText } from '../kit/body-fields.tsx'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { CreateForm, EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { History } from '../kit/history.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Managed, ManagedBanner } from '../kit/managed.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate, useSave } from '../kit/use-save.tsx'
import { ApiFields } from './api-fields.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('protectedApis')

export const Section = ({ path: [id] }: SectionProps) => {
  if (id === undefined) return <ApiList />
  if (id === 'agents') return <Agents />
  return id === 'new' ? <NewApi /> : <ApiDetail id={Number(id)} />
}

const ApiList = () => (
  <NamedList
    section="apis"
    heading={consoleText('apis')}
    intro={t('intro')}
    create={t('newApi')}
    action={
      <a class="button secondary" href={toAddress('apis', ['agents'])}>
        {t('agents')}
      </a>
    }
    search={t('search')}
    load={client.oidcClients.listProtectedApis}
    kindOf={() => 'api'}
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

const emptyApi: ProtectedAPIUpdate = { name: '', audience: '', permissions: [], scopes: [] }

/** Registers an API, then opens its page. */
const NewApi = () => {
  const form = useCreate(emptyApi, async (body) => {
    const api = await client.oidcClients.createProtectedApi(body)
    showToast(t('created', { name: api.name }))
    leaveFor(toAddress('apis', [api.id]))
  })
  return (
    <SectionPage heading={t('newApi')} parent={{ address: toAddress('apis'), label: consoleText('apis') }}>
      <CreateForm
        label={t('newApi')}
        action={t('create')}
        form={form}
        cancelAddress={toAddress('apis')}
        operation="create_protected_api"
        failures={{ conflict: consoleText('tooMany') }}
      >
        <Panel heading={t('settings')}>
          <BodyText form={form} name="name" label={t('name')} maxLength={255} required />
          <BodyText
            form={form}
            name="audience"
            label={t('audience')}
            hint={t('audienceHint')}
            writing="code"
            maxLength={255}
            required
          />
        </Panel>
        <ApiFields form={form} />
      </CreateForm>
    </SectionPage>
  )
}

const ApiDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcClients.getProtectedApi(id, options))
  return (
    <Managed kind="api" id={id}>
      <ShowLoaded loaded={loaded}>
        {(api) => (
          <SectionPage
            heading={api.name}
            parent={{ address: toAddress('apis'), label: consoleText('apis') }}
            actions={
              <>
                <EventsLink of={{ object: `api:${id}`, name: api.name }} />
                <DeleteButton
                  label={t('remove')}
                  name={api.name}
                  text={t('removeText')}
                  onDelete={async () => {
                    await client.oidcClients.deleteProtectedApi(id)
                    showToast(t('removed', { name: api.name }))
                    leaveFor(toAddress('apis'))
                  }}
                />
              </>
            }
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
          </SectionPage>
        )}
      </ShowLoaded>
    </Managed>
  )
}

interface ApiFormProps {
  readonly api: ProtectedAPI
  readonly onSave: (api: ProtectedAPI) => void
}

const ApiForm = ({ api, onSave }: ApiFormProps) => {
  const form = useSave<ProtectedAPIPartialUpdate, ProtectedAPI>({
    stored: api,
    read: () => client.oidcClients.getProtectedApi(api.id),
    write: (changes) => client.oidcClients.patchProtectedApi(api.id, changes),
    onSave,
  })
  return (
    <EditForm
      label={t('settings')}
      form={form}
      operation="patch_protected_api"
      failures={{ conflict: kitText('problemConflict') }}
    >
      <Panel heading={t('settings')}>
        <BodyText form={form} name="name" label={t('name')} maxLength={255} />
      </Panel>
      <ApiFields form={form} />
    </EditForm>
  )
}

/** The hosts of agents that no administrator registered. */
const Agents = () => {
  const loaded = useLoaded((options) => client.oidcClients.getAgentPolicy(options))
  return (
    <SectionPage heading={t('agents')} parent={{ address: toAddress('apis'), label: consoleText('apis') }}>
      <Managed kind="agent_policy">
        <ManagedBanner />
        <ShowLoaded loaded={loaded}>{(policy) => <AgentsForm policy={policy} />}</ShowLoaded>
        <History of={{ event: 'agent_policy.changed' }} />
      </Managed>
    </SectionPage>
  )
}

interface AgentPolicy {
  readonly hosts?: readonly string[] | undefined
  readonly callback_hosts?: readonly CallbackHost[] | undefined
}

interface CallbackHost {
  readonly host: string
  readonly callback_host: string
}

const formatPairs = (value: unknown): string =>
  ((value ?? []) as readonly CallbackHost[])
    .map(({ host, callback_host: callbackHost }) => `${host} ${callbackHost}`.trim())
    .join('\n')

/** Two hosts in each line. The service refuses a line without a second one. */
const readPairs = (text: string): readonly CallbackHost[] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([host]) => host !== '')
    .map(([host = '', ...others]) => ({ host, callback_host: others.join(' ') }))

const AgentsForm = ({ policy }: { readonly policy: AgentPolicy }) => {
  // The text of a field is what a person types, until a choice above it writes another one.
  const [fills, setFills] = useState(0)
  const form = useSave<AgentPolicy, AgentPolicy>({
    stored: policy,
    read: () => client.oidcClients.getAgentPolicy(),
    write: (changes, current) => client.oidcClients.updateAgentPolicy({ ...current, ...changes }),
  })
  return (
    <EditForm
      label={t('agents')}
      form={form}
      operation="update_agent_policy"
      failures={{ conflict: kitText('problemConflict') }}
    >
      <KnownAgents form={form} onFill={() => setFills(fills + 1)} />
      <Panel heading={t('agents')} intro={t('agentsIntro')}>
        <BodyLines form={form} name="hosts" label={t('agentHosts')} hint={t('agentHostsHint')} />
        <BodyLinesOf
          key={`pairs ${fills}`}
          form={form}
          name="callback_hosts"
          label={t('callbackHosts')}
          hint={t('callbackHostsHint')}
          format={formatPairs}
          parse={readPairs}
        />
      </Panel>
    </EditForm>
  )
}

/** The hosts of known agents, which several of one company share. */
const knownHosts = [...new Set(describedAgents.flatMap(({ hosts }) => hosts))].map((host) => {
  const agents = describedAgents.filter(({ hosts }) => hosts.includes(host))
  return {
    host,
    name: agents.map(({ name }) => name).join(', '),
    pairs: agents.flatMap(({ callbackHost }) =>
      callbackHost === undefined ? [] : [{ host, callback_host: callbackHost }],
    ),
  }
})

interface KnownAgentsProps {
  readonly form: BodyForm<AgentPolicy>
  /** Called after it has changed what the fields below show. */
  readonly onFill: () => void
}

/** Fills in the hosts of agents that many people use. */
const KnownAgents = ({ form, onFill }: KnownAgentsProps) => {
  const { hosts = [], callback_hosts: pairs = [] } = form.value
  return (
    <Panel heading={t('knownAgents')} intro={t('knownAgentsHint')}>
      {knownHosts.map((agent) => (
        <Checkbox
          key={agent.host}
          label={t('agentAt', { name: agent.name, host: agent.host })}
          isChecked={hosts.includes(agent.host)}
          onChange={(isChecked) => {
            const others = pairs.filter(({ host }) => host !== agent.host)
            form.set({
              hosts: isChecked ? [...hosts, agent.host] : hosts.filter((host) => host !== agent.host),
              callback_hosts: isChecked ? [...others, ...agent.pairs] : others,
            })
            onFill()
          }}
        />
      ))}
      <p class="note">
        {t('otherAgents')} <a href={toAddress('apps', ['new'])}>{t('registerAgent')}</a>
      </p>
    </Panel>
  )
}
