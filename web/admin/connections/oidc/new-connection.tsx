import { useState } from 'preact/hooks'
import type { OIDCConnectionCreate } from '../../../../lib/client/generated/models.ts'
import { SelectField } from '../../../kit/field.tsx'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { CreateForm } from '../../kit/edit-form.tsx'
import { Panel } from '../../kit/panel.tsx'
import { toAddress } from '../../kit/route.ts'
import { useCreate } from '../../kit/use-save.tsx'
import { ConnectionName, UserFields } from '../connection-fields.tsx'
import { NewConnectionPage, openCreated } from '../connection-page.tsx'
import { OidcFields } from './fields.tsx'

const shared = messagesOf('connections')
const t = messagesOf('oidcConnections')

/** The known identity providers, with what the form fills in. What a person replaces is in capitals. */
const providers = [
  { name: 'Microsoft Entra ID', issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0' },
  { name: 'Google Workspace', issuer: 'https://accounts.google.com' },
  { name: 'Okta', issuer: 'https://COMPANY.okta.com' },
] as const

const emptyConnection: OIDCConnectionCreate = {
  name: '',
  issuer: '',
  client_id: '',
  client_secret: '',
  token_endpoint_auth_method: 'client_secret_basic',
  scopes: ['openid', 'email', 'profile'],
  // The names of customers are no one else's business, and a new connection has not been tested yet.
  disabled_in_client: true,
}

/** Sets up a connection. Its page then shows what to register at the identity provider. */
export const NewOidcConnection = () => {
  const [provider, setProvider] = useState('')
  const form = useCreate(emptyConnection, async ({ client_secret: secret, ...body }) => {
    const usesKey = body.token_endpoint_auth_method === 'private_key_jwt'
    const request = usesKey ? body : { ...body, client_secret: secret }
    openCreated('oidc', await client.oidcConnections.createOidcConnection(request))
  })
  return (
    <NewConnectionPage heading={t('newConnection')}>
      <CreateForm
        label={t('newConnection')}
        action={t('create')}
        form={form}
        cancelAddress={toAddress('connections')}
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
          <OidcFields form={form} isNew />
        </Panel>
        <Panel heading={shared('users')}>
          <UserFields form={form} />
        </Panel>
      </CreateForm>
    </NewConnectionPage>
  )
}
