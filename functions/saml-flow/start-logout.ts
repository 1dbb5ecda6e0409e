import { buildLogoutUrl, prepareLogout } from '../../lib/accounts/saml/sign-out.ts'
import { buildLogoutAuditSteps } from '../../lib/accounts/sign-in/impersonation.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { buildClearedSessionCookie } from '../../lib/http/sent-credentials.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { endSession } from '../../lib/store/sign-in/end-sessions.ts'

/**
 * Ends the current session, then redirects the browser to the identity provider of the session for logout (SAML Profiles
 * 4.4.3.1). Without such a provider, the browser is redirected to the sign-in page.
 */
export const startSamlLogout: UseCase<typeof samlFlow.startSamlLogout> = async (
  { params, principal, context },
  services,
) => {
  const outgoing = principal && prepareLogout(services, params.id, principal.session)
  if (principal)
    await endSession(services.table, principal.session, [
      ...buildLogoutAuditSteps(context, principal),
      ...(outgoing ? [outgoing.step] : []),
    ])
  const address = outgoing && (await buildLogoutUrl(services, outgoing))
  return {
    status: 303,
    headers: { location: address ?? services.config.signInUrl },
    cookies: [buildClearedSessionCookie(services.config)],
  }
}
