import { messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import type { KindPages } from '../kind-pages.ts'
import { OidcConnection } from './connection.tsx'
import { NewOidcConnection } from './new-connection.tsx'

const t = messagesOf('oidcConnections')

export const oidcPages: KindPages = {
  Detail: OidcConnection,
  New: NewOidcConnection,
  needs: () => t('needs'),
  action: () => t('newConnection'),
  Source: ({ text }) => <code>{text}</code>,
  tested: {
    checks: ['status', 'token', 'idToken', 'time', 'organization', 'context', 'subject', 'account'],
    load: async (id, options) => {
      const connection = await client.oidcConnections.getOidcConnection(id, options)
      return {
        name: connection.name,
        values: { token: connection.redirect_uri },
        loginUrl: connection.login_url,
      }
    },
  },
}
