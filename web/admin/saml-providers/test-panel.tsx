import { messagesOf } from '../../kit/messages.ts'
import { Panel } from '../kit/panel.tsx'

const t = messagesOf('samlProviders')

/** A link to an identity provider that signs no one in. The browser comes back to the result. */
export const TestPanel = ({ loginUrl }: { readonly loginUrl: string }) => (
  <Panel heading={t('test')} intro={t('testText')}>
    <div class="row">
      <a class="button primary" href={`${loginUrl}?test=true`}>
        {t('startTest')}
      </a>
    </div>
  </Panel>
)
