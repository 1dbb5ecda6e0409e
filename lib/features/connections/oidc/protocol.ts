import type { EncryptionContext } from '../../../kernel/secrets/vault.ts'
import type { Protocol } from '../protocol.ts'
import { nameAccounts } from '../public-providers.models.ts'
import { type OidcConnection, oidcKind } from './records.ts'

/** The encryption context of a client secret. It differs for each connection and from that of any other secret. */
export const getClientSecretContext = (connectionId: number): EncryptionContext => ({
  purpose: 'connection',
  provider: String(connectionId),
  field: 'client_secret',
})

export const oidcProtocol: Protocol<OidcConnection> = {
  stored: oidcKind,
  getPaths: (id) => ({
    start: `/api/2/auth/oidc-connections/${id}/start`,
    answer: `/api/2/auth/oidc-connections/${id}/callback`,
    end: `/api/2/auth/oidc-connections/${id}/return`,
  }),
  eventPrefix: 'oidc_connection',
  nameAccount: (connection, text) => ({
    providerId: connection.id,
    attribute: nameAccounts(connection),
    value: text,
  }),
  isMapped: true,
  listImpliedQualifiers: () => [],
  mapSecrets: async ({ id, clientSecret, ...connection }, map) => ({
    ...connection,
    id,
    clientSecret: { cipher: await map(clientSecret.cipher, getClientSecretContext(id)) },
  }),
  listTrusted: ({ issuer, client_id, hosted_domain, apple_team_id }) => [
    ...[issuer, client_id, hosted_domain],
    ...(apple_team_id == null ? [] : [apple_team_id]),
  ],
}
