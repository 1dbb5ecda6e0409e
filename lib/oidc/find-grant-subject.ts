import type { Principal, SessionPrincipal } from '../accounts/common/principal.ts'
import { authenticateStored } from '../accounts/sign-in/authentication.ts'
import type { Services } from '../services.ts'
import type { OidcGrantRecord } from '../store/oidc/grants.ts'
import { getSessionId } from '../tokens/session-id.ts'
import { isSignedIn } from './signed-in.ts'

/**
 * Finds the user of a grant by its session, which is read again. Undefined if the session has ended, or an impersonation
 * began or stopped since.
 */
export const findGrantSubject = async (
  services: Services,
  { session, userId, sid }: Pick<OidcGrantRecord, 'session' | 'userId' | 'sid'>,
): Promise<SessionPrincipal | undefined> => {
  const principal = await authenticateStored(services, { kind: 'session', ...session })
  const isSame = principal?.user.id === userId && getSessionId(principal) === sid
  return isSame && isSession(principal) && isSignedIn(principal) ? principal : undefined
}

const isSession = (principal: Principal): principal is SessionPrincipal => principal.session !== undefined
