import type { Principal, SessionPrincipal } from '../accounts/common/principal.ts'
import { authenticateStored } from '../accounts/sign-in/authentication.ts'
import type { Services } from '../services.ts'
import type { OidcGrantRecord } from '../store/oidc/grants.ts'
import { findSessionApp } from '../store/oidc/session-apps.ts'
import { getSessionId } from '../tokens/session-id.ts'
import { isSignedIn } from './signed-in.ts'

/**
 * Finds the user of a grant by its session, which is read again. Undefined if the session has ended, an impersonation began
 * or stopped since, or the user ended the access of the client.
 */
export const findGrantSubject = async (
  services: Services,
  grant: OidcGrantRecord,
): Promise<SessionPrincipal | undefined> => {
  const principal = await authenticateStored(services, { kind: 'session', ...grant.session })
  if (!principal || !isSession(principal) || !isSignedIn(principal)) return undefined
  const isSame = principal.user.id === grant.userId && getSessionId(principal) === grant.sid
  const app = findSessionApp(principal.session, { clientId: grant.clientId, subject: grant.userId })
  return isSame && (app?.ends ?? 0) === grant.ends ? principal : undefined
}

const isSession = (principal: Principal): principal is SessionPrincipal => principal.session !== undefined
