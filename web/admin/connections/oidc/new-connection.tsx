import { useState } from 'preact/hooks'
import type { OIDCConnectionCreate } from '../../../../lib/client/generated/models.ts'
import { SelectField } from '../../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { CreateForm } from '../../kit/edit-form.tsx'
import { Panel } from '../../kit/panel.tsx'
import { toAddress } from '../../kit/route.ts'
import { useCreate } from '../../kit/use-save.tsx'
import { ConnectionName, UserFields } from '../connection-fields.tsx'
import { NewConnectionPage, openCreated } from '../connection-page.tsx'
import { OidcFields } from './fields.tsx'
import { publicChoices } from './public-presets.ts'

const shared = messagesOf('connections')
const t = messagesOf('oidcConnections')

/** The known identity providers, with what the form fills in. What a person replaces is in capitals. */
const providers = [
  { name: 'Microsoft Entra ID', issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0' },
  { name: 'Google Workspace', issuer: 'https://accounts.google.com' },
  { name: 'Okta', issuer: 'https://COMPANY.okta.com' },
] as const

/** What depends on the provider. */
const companyFields: Partial<OIDCConnectionCreate> = {
  token_endpoint_auth_method: 'client_secret_basic',
  public_provider: null,
  first_sign_in: null,
  apple_team_id: null,
  apple_key_id: null,
  apple_app_id: null,
  hosted_domain: null,
  auto_create_users: false,
  auto_sync_groups: false,
  auto_create_groups: false,
  allowed_groups: null,
}

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
        operation="create_oidc_connection"
        failures={{ conflict: kitText('problemConflict') }}
      >
        <Panel heading={shared('settings')}>
          <SelectField
            label={t('provider')}
            hint={t('providerHint')}
            value={provider}
            options={[
              ...[...publicChoices().map(({ label }) => label), ...providers.map(({ name }) => name)].map(
                (name) => ({ value: name, label: name }),
              ),
              { value: '', label: t('otherProvider') },
            ]}
            onChangeValue={(chosen) => {
              setProvider(chosen)
              const issuer = providers.find(({ name }) => name === chosen)?.issuer ?? ''
              const choices = publicChoices()
              const isPresetName = choices.some(({ fields }) => fields.name === form.value.name)
              form.set({
                issuer,
                ...companyFields,
                ...(isPresetName && { name: '' }),
                ...choices.find(({ label }) => label === chosen)?.fields,
              })
            }}
          />
          <ConnectionName form={form} isNew />
          <OidcFields form={form} isNew />
        </Panel>
        <Panel heading={shared('users')}>
          <UserFields form={form} isPublic={Boolean(form.value.public_provider)} />
        </Panel>
      </CreateForm>
    </NewConnectionPage>
  )
}
