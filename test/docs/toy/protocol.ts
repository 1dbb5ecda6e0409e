import type { EncryptionContext } from '../../../kernel/secrets/vault.ts'
import type { Protocol } from '../protocol.ts'
import { type ToyConnection, toyKind } from './records.ts'

export const getSharedKeyContext = (connectionId: number): EncryptionContext => ({
  purpose: 'connection',
  provider: String(connectionId),
  field: 'shared_key',
})

const base = '/api/2/auth/toy-connections'

export const toyProtocol: Protocol<ToyConnection> = {
  stored: toyKind,
  getPaths: (id) => ({
    start: `${base}/${id}/start`,
    answer: `${base}/${id}/callback`,
    end: `${base}/${id}/return`,
  }),
  eventPrefix: 'oidc_connection',
  nameAccount: ({ id: providerId }, nameId) => ({ providerId, nameId, qualifiers: [] }),
  isMapped: false,
  listImpliedQualifiers: () => [],
  mapSecrets: async (connection, map) => ({
    ...connection,
    sharedKey: { cipher: await map(connection.sharedKey.cipher, getSharedKeyContext(connection.id)) },
  }),
  listTrusted: ({ sign_in_url, sharedKey }) => [sign_in_url, sharedKey.cipher],
}
