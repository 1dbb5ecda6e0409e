import type { OIDCConnection, OIDCConnectionPartialUpdate } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeletePanel } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import { ConnectionName, RequiredFields, UserFields } from '../saml-providers/connection-fields.tsx'
import { DomainPanel } from '../saml-providers/domain-panel.tsx'
import { RulesPanel } from '../saml-providers/rules-panel.tsx'
import { TestPanel } from '../saml-providers/test-panel.tsx'
import { ConnectListPanel } from '../users/connect-list.tsx'
import { ConnectionFields } from './connection-fields.tsx'

const consoleText = messagesOf('console')
const shared = messagesOf('samlProviders')
const t = messagesOf('oidcConnections')

export const ConnectionDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcConnections.getOidcConnection(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(connection) => (
        <SectionPage
          heading={connection.name}
          parent={{ address: toAddress('oidc-connections'), label: consoleText('oidcConnections') }}
          actions={<EventsLink of={{ object: `oidc-connection:${id}`, name: connection.name }} />}
        >
          <Panel heading={shared('connect')} intro={t('connectText')}>
            <CopyFacts
              facts={[
                { label: t('redirectUri'), value: connection.redirect_uri },
                { label: t('loginUrl'), value: connection.login_url },
                { label: t('backchannel'), value: connection.backchannel_logout_uri },
                ...(connection.public_jwk ? [{ label: t('publicKey'), value: connection.public_jwk }] : []),
              ]}
            />
          </Panel>
          <TestPanel loginUrl={connection.login_url} />
          <DomainPanel providerId={id} />
          <ConnectListPanel providerId={id} />
          <ConnectionForm connection={connection} onSave={loaded.setValue} />
          <DeletePanel
            label={t('remove')}
            name={connection.name}
            text={shared('removeText')}
            onDelete={async () => {
              await client.oidcConnections.deleteOidcConnection(id)
              showToast(shared('removed', { name: connection.name }))
              leaveFor(toAddress('oidc-connections'))
            }}
          />
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

interface ConnectionFormProps {
  readonly connection: OIDCConnection
  readonly onSave: (connection: OIDCConnection) => void
}

const ConnectionForm = ({ connection, onSave }: ConnectionFormProps) => {
  const { id } = connection
  const form = useSave<OIDCConnectionPartialUpdate, OIDCConnection>({
    stored: connection,
    read: () => client.oidcConnections.getOidcConnection(id),
    write: (changes) => client.oidcConnections.patchOidcConnection(id, changes),
    onSave,
  })
  return (
    <EditForm label={shared('settings')} form={form}>
      <Panel heading={shared('settings')}>
        <ConnectionName form={form} />
        <ConnectionFields form={form} />
      </Panel>
      <Panel heading={shared('users')}>
        <UserFields form={form} />
        <RequiredFields form={form} />
      </Panel>
      <RulesPanel form={form} usual={t('usualClaims')} />
    </EditForm>
  )
}
