import type { SAMLProvider } from '../../../../lib/client/generated/models.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { ProviderGuide } from '../../../session-kit/provider-guide.tsx'
import { CopyFacts } from '../../kit/panel.tsx'

const t = messagesOf('samlConnections')

/** What the identity provider has to know about this service. */
export const ServiceValues = ({ provider }: { readonly provider: SAMLProvider }) => {
  const { metadata_url: metadataUrl, assertion_url: assertionUrl } = provider
  const logoutUrl = provider.logout_url ? `${provider.logout_url}/return` : ''
  return (
    <>
      <ProviderGuide values={{ metadata: metadataUrl, entityId: metadataUrl, assertionUrl, logoutUrl }}>
        <CopyFacts
          facts={[
            { label: t('replyUrl'), value: assertionUrl },
            { label: t('ourMetadata'), value: metadataUrl },
            { label: t('signOutUrl'), value: logoutUrl },
          ].filter(({ value }) => value)}
        />
      </ProviderGuide>
      <div class="row">
        <a
          class="button secondary"
          href={new URL(metadataUrl).pathname}
          download={`metadata-${provider.id}.xml`}
        >
          {t('download')}
        </a>
      </div>
    </>
  )
}
