import type { Services } from '../../services.ts'
import type { Principal } from '../common/principal.ts'
import type { RequestContext } from '../common/request-context.ts'
import { issueTicket } from './tickets.ts'

/**
 * Returns the URL with a ticket for its origin as `?ticket=`. It replaces every ticket that the URL already contains,
 * because that one could identify another user. Products that do not name an audience yet can exchange it, too.
 */
export const buildTicketUrl = async (
  services: Services,
  principal: Principal,
  context: RequestContext,
  target: URL,
): Promise<string> => {
  const url = new URL(target)
  const audience = { origin: url.origin, isOptional: true } as const
  url.searchParams.set('ticket', await issueTicket(services, principal, context, audience))
  return url.href
}
