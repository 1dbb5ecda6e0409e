import type { SessionPrincipal } from '../../lib/accounts/common/principal.ts'
import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { buildLogoutAuditSteps } from '../../lib/accounts/sign-in/impersonation.ts'
import type { sessions } from '../../lib/contract/operations/sessions.ts'
import { buildClearedSessionCookie } from '../../lib/http/sent-credentials.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { endSession } from '../../lib/store/sign-in/end-sessions.ts'

/** Ends the current session, if there is one, and always clears the cookie. */
export const logout: UseCase<typeof sessions.logout> = async ({ principal, context }, services) => {
  await endCurrentSession(principal, context, services)
  return { status: 204, cookies: [buildClearedSessionCookie(services.config)] }
}

/** Ends the current session and redirects a browser to the sign-in page. */
export const logoutPage: UseCase<typeof sessions.logoutPage> = async (
  { principal, context, acceptsHtml },
  services,
) => {
  await endCurrentSession(principal, context, services)
  const cookies = [buildClearedSessionCookie(services.config)]
  return acceptsHtml
    ? { status: 303, headers: { location: services.config.signInUrl }, cookies }
    : { status: 204, cookies }
}

const endCurrentSession = async (
  principal: SessionPrincipal | undefined,
  context: RequestContext,
  services: Services,
): Promise<void> => {
  if (!principal) return
  await endSession(services.table, principal.session, buildLogoutAuditSteps(context, principal))
}
