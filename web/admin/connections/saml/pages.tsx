import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import type { KindPages } from '../kind-pages.ts'
import { CertificateList } from './certificate-list.tsx'
import { SamlConnection } from './connection.tsx'
import { NewSamlConnection, SamlSetup } from './new-connection.tsx'

const t = messagesOf('samlConnections')

export const samlPages: KindPages = {
  Detail: SamlConnection,
  New: NewSamlConnection,
  Setup: SamlSetup,
  needs: () => t('needs'),
  action: () => t('newConnection'),
  Source: ({ text }) => (text === '' ? t('inSetup') : <CertificateList text={text} />),
  tested: {
    checks: [
      'message',
      'status',
      'signature',
      'issuer',
      'address',
      'audience',
      'time',
      'context',
      'subject',
      'account',
    ],
    load: async (id, options) => {
      const provider = await client.connections.getSamlProvider(id, options)
      return {
        name: provider.name,
        values: { address: provider.assertion_url, audience: provider.metadata_url },
        loginUrl: provider.login_url,
      }
    },
  },
}
