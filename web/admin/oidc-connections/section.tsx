import { useState } from 'preact/hooks'
import { SelectField, TextField } from '../../kit/field.tsx'
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
import { UserFields } from '../saml-providers/connection-fields.tsx'
import { TestResult } from '../saml-providers/test-result.tsx'
import { ConnectionDetail } from './connection-detail.tsx'
import {
  ConnectionFields,
  type ConnectionValues,
  emptyConnection,
  type Preset,
  presets,
  toConnectionChanges,
} from './connection-fields.tsx'

const consoleText = messagesOf('console')
const shared = messagesOf('samlProviders')
const t = messagesOf('oidcConnections')

export const Section = ({ path: [id, part, token] }: SectionProps) => {
  if (id === undefined) return <ConnectionList />
  if (id === 'new') return <NewConnection />
  if (part === 'tests' && token) return <TestResult kind="oidc" id={Number(id)} token={token} />
  return <ConnectionDetail id={Number(id)} />
}

const ConnectionList = () => (
  <NamedList
    section="oidc-connections"
    heading={consoleText('oidcConnections')}
    intro={t('intro')}
    create={t('newConnection')}
    load={client.oidcConnections.listOidcConnections}
    columns={[
      {
        name: 'name',
        header: shared('name'),
        ordering: 'name',
        cell: ({ id, name }) => <a href={toAddress('oidc-connections', [id])}>{name}</a>,
      },
      { name: 'issuer', header: t('issuer'), cell: ({ issuer }) => <code>{issuer}</code> },
      {
        name: 'shown',
        header: shared('shown'),
        cell: ({ disabled_in_client: isHidden }) => shared(isHidden ? 'no' : 'yes'),
      },
    ]}
    empty={t('empty')}
  />
)

const listRequired = ({ token_endpoint_auth_method: method }: ConnectionValues) =>
  method === 'private_key_jwt'
    ? (['name', 'issuer', 'client_id'] as const)
    : (['name', 'issuer', 'client_id', 'client_secret'] as const)

/** Names of products are the same in all languages. */
const products: Readonly<Record<Exclude<Preset, 'other'>, string>> = {
  entra: 'Microsoft Entra ID',
  google: 'Google Workspace',
  okta: 'Okta',
}
const presetNames = ['entra', 'google', 'okta', 'other'] as const satisfies readonly Preset[]

/** Sets up a connection. Its page then shows what to register at the identity provider. */
const NewConnection = () => {
  const draft = useDraft(emptyConnection)
  const [preset, setPreset] = useState<Preset>('other')
  const [missing, setMissing] = useState<readonly string[]>([])
  const { value, set } = draft
  const create = useConfirmedAction(async () => {
    const { name, issuer, client_id: clientId, client_secret: clientSecret } = value
    const connection = await client.oidcConnections.createOidcConnection({
      ...toConnectionChanges(value),
      ...{
        name: name.trim(),
        issuer: issuer.trim(),
        client_id: clientId.trim(),
        ...(value.token_endpoint_auth_method === 'private_key_jwt' ? {} : { client_secret: clientSecret }),
      },
    })
    showToast(shared('created', { name: connection.name }))
    leaveFor(toAddress('oidc-connections', [connection.id]))
    return undefined
  })
  return (
    <SectionPage
      heading={t('newConnection')}
      parent={{ address: toAddress('oidc-connections'), label: consoleText('oidcConnections') }}
    >
      <CreateForm
        label={t('newConnection')}
        action={t('create')}
        isChanged={draft.isChanged}
        create={create}
        cancelAddress={toAddress('oidc-connections')}
        onSubmit={() => {
          const empty = listRequired(value).filter((name) => value[name].trim() === '')
          setMissing(empty)
          if (empty.length === 0) void create.run()
        }}
      >
        <Panel heading={shared('settings')}>
          <SelectField
            label={t('provider')}
            hint={t('providerHint')}
            value={preset}
            options={presetNames.map((name) => ({
              value: name,
              label: name === 'other' ? t('otherProvider') : products[name],
            }))}
            onChangeValue={(text) => {
              const chosen = presetNames.find((name) => name === text) ?? 'other'
              setPreset(chosen)
              set(presets[chosen])
            }}
          />
          <TextField
            label={shared('name')}
            hint={shared('nameHint')}
            problem={missing.includes('name') ? kitText('required') : problemOf(create.failure, 'name')}
            autocomplete="off"
            maxLength={255}
            required
            value={value.name}
            onChangeValue={(name) => set({ name })}
          />
          <ConnectionFields draft={draft} failure={create.failure} missing={missing} isNew />
        </Panel>
        <Panel heading={shared('users')}>
          <UserFields draft={draft} failure={create.failure} />
        </Panel>
      </CreateForm>
    </SectionPage>
  )
}
