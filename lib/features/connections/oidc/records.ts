import { createCodec } from '../../../kernel/table/records.ts'
import { buildPublicConnectionSteps } from '../public-connections.records.ts'
import { namePublicProvider } from '../public-providers.models.ts'
import { type Connection, type ConnectionKind, connectionShape } from '../records.ts'
import type { StoredSettings } from '../stored-settings.records.ts'
import type { OIDCConnectionCreate } from './models.ts'

/** The fields that requests set, as they are declared. The secret is stored encrypted, under a name of its own. */
export type OidcSettings = StoredSettings<Omit<OIDCConnectionCreate, 'client_secret'>>

/** A connection to an identity provider that speaks OpenID Connect, as stored. */
export interface OidcConnection extends Omit<Connection, keyof OidcSettings>, OidcSettings {
  readonly kind: 'oidc'
  /** Encrypted for this connection: the secret, or a private key in PEM, which is that of Apple or for `private_key_jwt`. */
  readonly clientSecret: { readonly cipher: string }
  /** The public key, as JSON text. Null if the connection has a secret. */
  readonly publicJwk: string | null
}

export const oidcKind: ConnectionKind<OidcConnection> = {
  kind: 'oidc',
  codec: createCodec<OidcConnection>('OpenID Connect connection', {
    ...connectionShape,
    issuer: 'string',
    client_id: 'string',
    clientSecret: 'map',
    token_endpoint_auth_method: 'string',
    scopes: 'list',
  }),
  buildUniqueSteps: (before, after) => {
    const name = before ? undefined : after && namePublicProvider(after)
    return after && name !== undefined ? buildPublicConnectionSteps(name, after.id) : []
  },
}
