import { useState } from 'preact/hooks'
import type { OIDCConnectionCreate } from '../../../lib/client/generated/models.ts'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { CreateForm } from '../kit/edit-form.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import type { SectionProps } from '../kit/section-page.tsx'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate } from '../kit/use-save.tsx'
import { ConnectionName, UserFields } from '../saml-providers/connection-fields.tsx'
import { TestResult } from '../saml-providers/test-result.tsx'
import { ConnectionDetail } from './connection-detail.tsx'
import { ConnectionFields } from './connection-fields.tsx'

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

/** The known identity providers, with what the form fills in. What a person replaces is in capitals. */
const providers = [
  { name: 'Microsoft Entra ID', issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0' },
  { name: 'Google Workspace', issuer: 'https://accounts.google.com' },
  { name: 'Okta', issuer: 'https://COMPANY.okta.com' },
] as const

const emptyConnection: OIDCConnectionCreate = {
  ...{ name: '', issuer: '', client_id: '', client_secret: '' },
  token_endpoint_auth_method: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  // The names of customers are no one else's business, and a new connection has not been tested yet.
  disabled_in_client: true,
}

/** Sets up a connection. Its page then shows what to register at the identity provider. */
const NewConnection = () => {
  const [provider, setProvider] = useState('')
  const form = useCreate(emptyConnection, async ({ client_secret: secret, ...body }) => {
    const usesKey = body.token_endpoint_auth_method === 'private_key_jwt'
    const connection = await client.oidcConnections.createOidcConnection({
      ...body,
      ...(usesKey ? {} : { client_secret: secret }),
    })
    showToast(shared('created', { name: connection.name }))
    leaveFor(toAddress('oidc-connections', [connection.id]))
  })
  return (
    <SectionPage
      heading={t('newConnection')}
      parent={{ address: toAddress('oidc-connections'), label: consoleText('oidcConnections') }}
    >
      <CreateForm
        label={t('newConnection')}
        action={t('create')}
        form={form}
        cancelAddress={toAddress('oidc-connections')}
      >
        <Panel heading={shared('settings')}>
          <SelectField
            label={t('provider')}
            hint={t('providerHint')}
            value={provider}
            options={[
              ...providers.map(({ name }) => ({ value: name, label: name })),
              { value: '', label: t('otherProvider') },
            ]}
            onChangeValue={(chosen) => {
              setProvider(chosen)
              form.set({ issuer: providers.find(({ name }) => name === chosen)?.issuer ?? '' })
            }}
          />
          <ConnectionName form={form} isNew />
          <ConnectionFields form={form} isNew />
        </Panel>
        <Panel heading={shared('users')}>
          <UserFields form={form} />
        </Panel>
      </CreateForm>
    </SectionPage>
  )
}
