import type { SessionPrincipal } from '../../lib/accounts/common/principal.ts'
import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { buildLogoutAuditSteps } from '../../lib/accounts/sign-in/impersonation.ts'
import { endSession } from '../../lib/accounts/sign-in/sessions.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { buildClearedSessionCookie } from '../../lib/http/session-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'

/** Ends the session of the credential, if it has one, and clears the cookie either way. */
export const logout: UseCase<typeof sessions.logout> = async ({ principal, context }, services) => {
  await endIfAny(principal, context, services)
  return { status: 204, cookies: [buildClearedSessionCookie(services.config)] }
}

/** The same for a browser, which is sent on to where people sign in. */
export const logoutPage: UseCase<typeof sessions.logoutPage> = async (
  { principal, context, acceptsHtml },
  services,
) => {
  await endIfAny(principal, context, services)
  const cookies = [buildClearedSessionCookie(services.config)]
  return acceptsHtml
    ? { status: 303, headers: { location: services.config.signInUrl }, cookies }
    : { status: 204, cookies }
}

const endIfAny = async (
  principal: SessionPrincipal | undefined,
  context: RequestContext,
  services: Services,
): Promise<void> => {
  if (!principal) return
  await endSession(services, principal.session, principal.user, buildLogoutAuditSteps(context, principal))
}
