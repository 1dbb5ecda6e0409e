import type { SAMLProvider, SAMLProviderPartialUpdate } from '../../../../lib/client/generated/models.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { ProviderGuide } from '../../../session-kit/provider-guide.tsx'
import { useLoaded } from '../../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../../kit/load-state.tsx'
import { CopyFacts } from '../../kit/panel.tsx'
import { useSave } from '../../kit/use-save.tsx'
import { ConnectionPage, ConnectionSettings } from '../connection-page.tsx'
import { CertificatePanel } from './certificate-panel.tsx'
import { MetadataFields, NameFields } from './fields.tsx'
import { SetupPanel } from './setup-panel.tsx'

const t = messagesOf('samlConnections')

export const SamlConnection = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.samlProviders.getSamlProvider(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(connection) => (
        <ConnectionPage
          connection={connection}
          object="saml-provider"
          before={<SetupPanel provider={connection} />}
          connectText={t('connectText')}
          own={<OwnMetadata connection={connection} />}
          onDelete={() => client.samlProviders.deleteSamlProvider(id)}
        >
          <CertificatePanel provider={connection} onChange={loaded.reload} />
          <SamlSettings key={connection.certificate} connection={connection} onSave={loaded.setValue} />
        </ConnectionPage>
      )}
    </ShowLoaded>
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
    read: () => client.samlProviders.getSamlProvider(id),
    write: (changes) => client.samlProviders.patchSamlProvider(id, changes),
    onSave,
  })
  return (
    <ConnectionSettings
      id={id}
      form={form}
      failures={form.changes.entity_id === undefined ? {} : { conflict: t('entityTaken') }}
      usual={t('usualAttributes')}
    >
      <MetadataFields form={form} />
      <NameFields form={form} />
    </ConnectionSettings>
  )
}

/** What the provider has to know about this service. */
const OwnMetadata = ({ connection }: { readonly connection: SAMLProvider }) => {
  const { metadata_url: metadataUrl, assertion_url: assertionUrl } = connection
  const logoutUrl = connection.logout_url ? `${connection.logout_url}/return` : ''
  return (
    <>
      <CopyFacts
        facts={[
          { label: t('ourMetadata'), value: metadataUrl },
          { label: t('replyUrl'), value: assertionUrl },
          { label: t('signOutUrl'), value: logoutUrl },
        ].filter(({ value }) => value)}
      />
      <ProviderGuide values={{ metadata: metadataUrl, entityId: metadataUrl, assertionUrl, logoutUrl }} />
      <div class="row">
        <a
          class="button secondary"
          href={new URL(metadataUrl).pathname}
          download={`metadata-${connection.id}.xml`}
        >
          {t('download')}
        </a>
      </div>
    </>
  )
}
