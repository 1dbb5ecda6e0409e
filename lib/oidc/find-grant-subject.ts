import type { Principal, SessionPrincipal } from '../accounts/common/principal.ts'
import { authenticateStored } from '../accounts/sign-in/authentication.ts'
import type { Services } from '../services.ts'
import type { OidcGrantRecord } from '../store/records/oidc-grant-record.ts'
import { isSignedIn } from './signed-in.ts'

/**
 * Finds the user of a grant by its session, which is read again. Undefined if the session has ended, or is of another user
 * by now because an impersonation began or stopped.
 */
export const findGrantSubject = async (
  services: Services,
  { session, userId }: Pick<OidcGrantRecord, 'session' | 'userId'>,
): Promise<SessionPrincipal | undefined> => {
  const principal = await authenticateStored(services, { kind: 'session', ...session })
  return principal && principal.user.id === userId && isSession(principal) && isSignedIn(principal)
    ? principal
    : undefined
}

const isSession = (principal: Principal): principal is SessionPrincipal => principal.session !== undefined
