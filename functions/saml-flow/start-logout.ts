import { buildLogoutUrl, prepareLogout } from '../../lib/accounts/saml/sign-out.ts'
import { buildLogoutAuditSteps } from '../../lib/accounts/sign-in/impersonation.ts'
import { endSession } from '../../lib/accounts/sign-in/sessions.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { buildClearedSessionCookie } from '../../lib/http/session-cookie.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/**
 * Ends the session of the request, whatever follows, and leads the browser on to end it at the identity provider that
 * made it (SAML Profiles 4.4.3.1). Where there is none to ask, it is led to where people sign in.
 */
export const startSamlLogout: UseCase<typeof samlFlow.startSamlLogout> = async (
  { params, principal, context },
  services,
) => {
  const departure = principal && prepareLogout(services, params.id, principal.session)
  if (principal)
    await endSession(services, principal.session, principal.user, [
      ...buildLogoutAuditSteps(context, principal),
      ...(departure ? [departure.step] : []),
    ])
  const address = departure && (await buildLogoutUrl(services, departure))
  return {
    status: 303,
    headers: { location: address ?? services.config.signInUrl },
    cookies: [buildClearedSessionCookie(services.config)],
  }
}
