import { createCodec } from '../../../kernel/table/records.ts'
import { buildPublicConnectionSteps } from '../public-connections.records.ts'
import { namePublicProvider } from '../public-providers.models.ts'
import { type Connection, type ConnectionKind, connectionShape } from '../records.ts'
import type { StoredSettings } from '../stored-fields.records.ts'
import type { OIDCConnectionCreate } from './models.ts'

/** The fields that requests set, as they are declared. The secret is stored encrypted, under a name of its own. */
export type OidcSettings = StoredSettings<
  Omit<
    OIDCConnectionCreate,
    'client_secret' | 'public_provider' | 'first_sign_in' | 'apple_team_id' | 'apple_key_id' | 'apple_app_id'
  >
>

/** A connection to an identity provider that speaks OpenID Connect, as stored. */
export interface OidcConnection extends Connection, OidcSettings {
  readonly kind: 'oidc'
  /** Encrypted for this connection: the secret, or a private key in PEM, which is that of Apple or for `private_key_jwt`. */
  readonly clientSecret: { readonly cipher: string }
  /** The public key, as JSON text. Null if the connection has a secret. */
  readonly publicJwk: string | null
  /** Null or missing for any other provider than Apple, as are the other two. */
  readonly apple_team_id?: string | null
  readonly apple_key_id?: string | null
  readonly apple_app_id?: string | null
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
