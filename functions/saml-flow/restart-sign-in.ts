import { resolveDestination } from '../../lib/accounts/common/destinations.ts'
import { isUnsolicited, type PostedResponse } from '../../lib/accounts/saml/named-flow.ts'
import { buildStartPath } from '../../lib/accounts/saml/retry-path.ts'
import type { samlFlow } from '../../lib/contract/operations/saml-flow.ts'
import { queryText } from '../../lib/contract/query.ts'
import { buildRestartCookie, hasRestartCookie } from '../../lib/http/flow-cookie.ts'
import type { Reply } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'

/**
 * Answers a response to no request, such as after a click on a tile in the portal of a company. It proves nothing: another
 * site may have had the browser post it. The browser is sent to start a sign-in of its own, which the session at the identity
 * provider completes at once. RelayState can name the page to return to, if browsers may be sent there.
 *
 * Returns undefined if the response is no such one, or if this browser was just sent. An identity provider that also loses
 * what a request contains would send it around without end.
 */
export const restartSignIn = (
  { config, log }: Pick<Services, 'config' | 'log'>,
  providerId: number,
  posted: PostedResponse,
  cookies: readonly string[],
): Reply<typeof samlFlow.receiveSamlAuthAssertion> | undefined => {
  if (!isUnsolicited(posted) || hasRestartCookie(config, cookies)) return undefined
  const { relayState } = posted
  const isPage = queryText.safeParse(relayState).success && resolveDestination(config, relayState)
  log.info('saml.sign_in_restarted', { provider: providerId })
  const start = { returnTo: isPage ? relayState : null, forceAuthn: false, link: null }
  return {
    status: 303,
    headers: { location: buildStartPath({ id: providerId }, start) },
    cookies: [buildRestartCookie(config)],
  }
}
