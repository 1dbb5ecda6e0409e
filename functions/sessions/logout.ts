import type { Visitor } from '../../lib/accounts/common/request-context.ts'
import type { SessionPrincipal } from '../../lib/accounts/sign-in/authentication.ts'
import { logoutRecords } from '../../lib/accounts/sign-in/impersonation.ts'
import { endSession } from '../../lib/accounts/sign-in/sessions.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { clearedSessionCookie } from '../../lib/http/cookies.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'

/** Ends the session of the credential, if it has one, and clears the cookie either way. */
export const logout: UseCase<typeof sessions.logout> = async ({ principal, visitor }, services) => {
  await endIfAny(principal, visitor, services)
  return { status: 204, cookies: [clearedSessionCookie(services.config)] }
}

/** The same for a browser, which is sent on to where people sign in. */
export const logoutPage: UseCase<typeof sessions.logoutPage> = async (
  { principal, visitor, acceptsHtml },
  services,
) => {
  await endIfAny(principal, visitor, services)
  const cookies = [clearedSessionCookie(services.config)]
  return acceptsHtml
    ? { status: 303, headers: { location: services.config.signInUrl }, cookies }
    : { status: 204, cookies }
}

const endIfAny = async (
  principal: SessionPrincipal | undefined,
  visitor: Visitor,
  services: Services,
): Promise<void> => {
  if (!principal) return
  await endSession(services, principal.session, principal.user, logoutRecords(visitor, principal))
}
