import type { SAMLProvider } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { CopyFacts } from '../kit/copy-facts.tsx'
import { Panel } from '../kit/panel.tsx'

const t = messagesOf('samlProviders')

/** What the provider has to know about this service. */
export const OwnMetadata = ({ provider }: { readonly provider: SAMLProvider }) => {
  const values = [
    { label: t('ourMetadata'), value: provider.metadata_url },
    { label: t('replyUrl'), value: provider.assertion_url },
    ...(provider.logout_url ? [{ label: t('signOutUrl'), value: `${provider.logout_url}/return` }] : []),
  ]
  return (
    <Panel heading={t('connect')} intro={t('connectText')}>
      <CopyFacts facts={values} />
      <div class="row">
        <a
          class="button secondary"
          href={new URL(provider.metadata_url).pathname}
          download={`metadata-${provider.id}.xml`}
        >
          {t('download')}
        </a>
      </div>
    </Panel>
  )
}

/** A link to the provider that signs no one in. The browser comes back to the result. */
export const TestSignIn = ({ provider }: { readonly provider: SAMLProvider }) => (
  <Panel heading={t('test')} intro={t('testText')}>
    <div class="row">
      <a class="button primary" href={`/api/2/auth/saml/${provider.id}/sso?test=true`}>
        {t('startTest')}
      </a>
    </div>
  </Panel>
)
