import type { SessionPrincipal } from '../accounts/common/principal.ts'
import type { OidcClient } from '../store/oidc/clients.ts'
import { findSessionApp } from '../store/oidc/session-apps.ts'

/** Whether the user ended the access of a client, and has not signed in since. Otherwise it would return unnoticed. */
export const hasEndedAccess = (
  { session, user }: SessionPrincipal,
  { clientId }: Pick<OidcClient, 'clientId'>,
): boolean => {
  const app = findSessionApp(session, { clientId, subject: user.id })
  return session.authentication.at <= (app?.endedAt ?? 0)
}
