import type { OIDCConnection, OIDCConnectionPartialUpdate } from '../../../../lib/client/generated/models.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { useLoaded } from '../../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../../kit/load-state.tsx'
import { Managed } from '../../kit/managed.tsx'
import { CopyFacts } from '../../kit/panel.tsx'
import { useSave } from '../../kit/use-save.tsx'
import { ApprovalPanel } from '../approval-panel.tsx'
import { ConnectionPage, ConnectionSettings } from '../connection-page.tsx'
import { OidcFields } from './fields.tsx'

const t = messagesOf('oidcConnections')

export const OidcConnection = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcConnections.getOidcConnection(id, options))
  return (
    <Managed kind="oidc_connection" id={id}>
      <ShowLoaded loaded={loaded}>
        {(connection) => (
          <ConnectionPage
            connection={connection}
            object="oidc-connection"
            before={
              <ApprovalPanel connection={connection} provider={connection.issuer} onApprove={loaded.reload} />
            }
            connectText={t('connectText')}
            own={<OwnAddresses connection={connection} />}
            onDelete={() => client.oidcConnections.deleteOidcConnection(id)}
          >
            <OidcSettings connection={connection} onSave={loaded.setValue} />
          </ConnectionPage>
        )}
      </ShowLoaded>
    </Managed>
  )
}

/** What the identity provider has to know about this service. */
const OwnAddresses = ({ connection }: { readonly connection: OIDCConnection }) => (
  <CopyFacts
    facts={[
      { label: t('redirectUri'), value: connection.redirect_uri },
      { label: t('loginUrl'), value: connection.login_url },
      // Apple reports in a way of its own.
      connection.apple_notifications_uri === null
        ? { label: t('backchannel'), value: connection.backchannel_logout_uri }
        : { label: t('appleNotifications'), value: connection.apple_notifications_uri },
      { label: t('publicKey'), value: connection.public_jwk ?? '' },
    ].filter(({ value }) => value)}
  />
)

interface OidcSettingsProps {
  readonly connection: OIDCConnection
  readonly onSave: (connection: OIDCConnection) => void
}

const OidcSettings = ({ connection, onSave }: OidcSettingsProps) => {
  const { id } = connection
  const form = useSave<OIDCConnectionPartialUpdate, OIDCConnection>({
    stored: connection,
    read: () => client.oidcConnections.getOidcConnection(id),
    write: (changes) => client.oidcConnections.patchOidcConnection(id, changes),
    onSave,
  })
  return (
    <ConnectionSettings
      id={id}
      form={form}
      operation="patch_oidc_connection"
      usual={t('usualClaims')}
      isPublic={connection.public_provider !== null}
    >
      <OidcFields form={form} />
    </ConnectionSettings>
  )
}
