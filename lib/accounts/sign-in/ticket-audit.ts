import type { Services } from '../../services.ts'
import type { TicketRefusal } from '../../store/sign-in/tickets.ts'
import { auditRefusal } from '../common/refusal-audit.ts'
import type { RequestContext } from '../common/request-context.ts'

/**
 * Stores that a ticket was refused, and why. A ticket that was used before may be stolen, so its user is part of the
 * event. A value that was made up names no user.
 */
export const auditRefusedTicket = (
  services: Services,
  context: RequestContext,
  userId: number,
  outcome: TicketRefusal,
): Promise<void> =>
  auditRefusal(services, context, 'ticket.refused', {
    outcome,
    ...(outcome === 'not_found' ? {} : { user: userId }),
  })
