import type { OIDCClient } from '../../lib/contract/models/oidc-clients.ts'
import { oidcScopes } from '../../lib/contract/models/oidc-clients.ts'
import { listValidSecrets, type OidcClient } from '../../lib/store/oidc/clients.ts'
import { formatTime } from '../../lib/util/time.ts'

/** A client as administrators see it. Its secrets are never shown. */
export const toClientBody = (client: OidcClient, nowMs: number): OIDCClient => ({
  id: client.id,
  client_id: client.clientId,
  name: client.name,
  type: client.type,
  redirect_uris: [...client.redirectUris],
  post_logout_redirect_uris: [...client.postLogoutRedirectUris],
  // A later version may have stored more.
  scopes: oidcScopes.filter((scope) => client.scopes.includes(scope)),
  apis: client.apis.map(({ audience, scopes }) => ({ audience, scopes: [...scopes] })),
  permissions: [...client.permissions],
  machine_permissions: client.machinePermissions && [...client.machinePermissions],
  machine_groups: [...(client.machineGroups ?? [])],
  public_keys: (client.publicKeys ?? []).map((key) => ({ ...key })),
  requires_pkce: client.requiresPkce !== false,
  requires_par: client.requiresPar === true,
  requires_dpop: client.requiresDpop === true,
  subject_source: client.subjectSource ?? null,
  device_authorization: client.deviceAuthorization === true,
  backchannel_logout_uri: client.backchannelLogoutUri,
  access_token_lifetime: client.accessTokenLifetimeMs / 1000,
  id_token_lifetime: client.idTokenLifetimeMs / 1000,
  refresh_token_lifetime: client.refreshTokenLifetimeMs / 1000,
  has_client_secret: listValidSecrets(client, nowMs).length > 0,
  client_secrets: listValidSecrets(client, nowMs).map(({ id, createdAt, expiresAt, usedAt }) => ({
    id,
    created_at: formatTime(createdAt),
    expires: expiresAt === null ? null : formatTime(expiresAt),
    last_used: usedAt === undefined ? null : formatTime(usedAt),
  })),
  created_at: formatTime(client.createdAt),
})
