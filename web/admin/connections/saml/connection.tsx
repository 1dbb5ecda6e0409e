import type { SAMLProvider, SAMLProviderPartialUpdate } from '../../../../lib/client/generated/models.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { useLoaded } from '../../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../../kit/load-state.tsx'
import { Managed } from '../../kit/managed.tsx'
import { useSave } from '../../kit/use-save.tsx'
import { ApprovalPanel } from '../approval-panel.tsx'
import { ConnectionPage, ConnectionSettings } from '../connection-page.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import { MetadataFields, NameFields } from './fields.tsx'
import { ServiceValues } from './service-values.tsx'
import { SetupPanel } from './setup-panel.tsx'

const t = messagesOf('samlConnections')

export const SamlConnection = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.connections.getSamlProvider(id, options))
  return (
    <Managed kind="saml_provider" id={id}>
      <ShowLoaded loaded={loaded}>
        {(connection) => (
          <ConnectionPage
            connection={connection}
            object="saml-provider"
            before={
              <>
                <ApprovalPanel
                  connection={connection}
                  provider={connection.entity_id ?? ''}
                  onApprove={loaded.reload}
                />
                <SetupPanel provider={connection} />
              </>
            }
            connectText={t('connectText')}
            own={<ServiceValues provider={connection} />}
            certificates={<CertificatePanel provider={connection} onChange={loaded.reload} />}
            onDelete={() => client.connections.deleteSamlProvider(id)}
          >
            <SamlSettings key={connection.certificate} connection={connection} onSave={loaded.setValue} />
          </ConnectionPage>
        )}
      </ShowLoaded>
    </Managed>
  )
}

interface SamlSettingsProps {
  readonly connection: SAMLProvider
  readonly onSave: (connection: SAMLProvider) => void
}

const SamlSettings = ({ connection, onSave }: SamlSettingsProps) => {
  const { id } = connection
  const form = useSave<SAMLProviderPartialUpdate, SAMLProvider>({
    stored: connection,
    read: () => client.connections.getSamlProvider(id),
    write: (changes) => client.connections.patchSamlProvider(id, changes),
    onSave,
  })
  return (
    <ConnectionSettings
      id={id}
      form={form}
      operation="patch_saml_provider"
      taken={t('entityTaken')}
      usual={t('usualAttributes')}
    >
      <MetadataFields form={form} />
      <NameFields form={form} />
    </ConnectionSettings>
  )
}
