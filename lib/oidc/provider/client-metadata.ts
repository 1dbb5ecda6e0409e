import type { ClientMetadata } from 'oidc-provider'
import type { OidcClient } from '../../store/oidc/oidc-client-record.ts'

/** Describes a client to the library (OpenID Connect Dynamic Client Registration 2). */
export const toClientMetadata = (client: OidcClient): ClientMetadata => {
  const { clientId, name, type, redirectUris, scopes } = client
  return {
    client_id: clientId,
    client_name: name,
    redirect_uris: [...redirectUris],
    // Only native clients may register redirect addresses of apps.
    application_type: redirectUris.every((uri) => /^https?:/i.test(uri)) ? 'web' : 'native',
    response_types: ['code'],
    response_modes: ['query', 'form_post'],
    grant_types: [
      'authorization_code',
      ...(scopes.includes('offline_access') ? (['refresh_token'] as const) : []),
    ],
    scope: scopes.join(' '),
    id_token_signed_response_alg: 'RS256',
    token_endpoint_auth_method: type === 'public' ? 'none' : 'client_secret_basic',
    // The library requires a text. What a client sends is compared with the stored hash.
    ...(type === 'public' ? {} : { client_secret: 'stored as a hash' }),
  }
}
