import { countFailedLookup, requireLookupAllowed } from '../../lib/accounts/common/lookup-throttle.ts'
import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import { isImpersonatingUser } from '../../lib/accounts/sign-in/impersonation.ts'
import { isLinkActive, withLinkScope } from '../../lib/accounts/sign-in/link-session.ts'
import type { tickets } from '../../lib/contract/operations/tickets.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { parseCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import type { TicketEntry, UserRecord } from '../../lib/store/records/user-record.ts'
import { takeTicket } from '../../lib/store/sign-in/tickets.ts'

/** Exchanges a ticket for its user, once. Unknown, used, expired, and revoked tickets get the same response. */
export const checkAuthTicket: UseCase<typeof tickets.checkAuthTicket> = async (
  { body, context },
  services,
) => {
  requireLookupAllowed(services, context)
  const ticket = parseCredential(body.ticket)
  if (ticket?.kind !== 'auth_ticket') throw notFound()
  const user = await takeTicket(services.table, ticket.subject, ticket.hash, services.now())
  const entry = user?.tickets[ticket.hash]
  if (!user || !entry || !(await isIssuerActive(services, user, entry))) {
    await countFailedLookup(services, context)
    throw notFound()
  }
  // The server that checks the ticket must not grant more than the link does.
  const shown = entry.accessToken ? withLinkScope(user) : user
  return { status: 200, body: await toUserDetail(services.table, shown) }
}

/** Whether the link or the impersonation that the ticket was issued in is still active. `takeTicket` checks the user. */
const isIssuerActive = async (
  services: Services,
  user: UserRecord,
  { accessToken, actor, session }: TicketEntry,
): Promise<boolean> => {
  if (accessToken) return isLinkActive(services, accessToken, user, session)
  return actor === undefined || isImpersonatingUser(services, { userId: actor, hash: session }, user)
}
