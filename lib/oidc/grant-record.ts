import type { SessionPrincipal } from '../accounts/common/principal.ts'
import type { Services } from '../services.ts'
import type { OidcClient } from '../store/oidc/clients.ts'
import { createGrantId, type OidcGrantRecord } from '../store/oidc/grants.ts'
import { findSessionApp } from '../store/oidc/session-apps.ts'
import { getCredentialEnd } from '../tokens/credential-end.ts'
import { getSessionId } from '../tokens/session-id.ts'

interface GrantTerms {
  readonly scopes: readonly string[]
  /** How long the client may wait until it gets its tokens. */
  readonly codeMs: number
}

/** Creates what a user grants a client in one authorization. It is not stored yet. */
export const createGrantRecord = (
  services: Services,
  principal: SessionPrincipal,
  client: OidcClient,
  { scopes, codeMs }: GrantTerms,
): OidcGrantRecord => {
  const { session, user } = principal
  const { clientId } = client
  const createdAt = services.now()
  // Without a refresh token, the grant has to last as long as the access token that its code gives.
  const lifetimeMs = scopes.includes('offline_access')
    ? client.refreshTokenLifetimeMs
    : codeMs + client.accessTokenLifetimeMs
  return {
    ...{ id: createGrantId(), sid: getSessionId(principal), scopes, createdAt, clientId, userId: user.id },
    ends: findSessionApp(session, { clientId, subject: user.id })?.ends ?? 0,
    session: { userId: session.userId, hash: session.hash },
    expiresAt: Math.min(createdAt + lifetimeMs, getCredentialEnd(services, principal)),
  }
}
