import { isLinkAlive } from '../../lib/accounts/guests.ts'
import { countFailedLookUp, requireLookUps } from '../../lib/accounts/look-ups.ts'
import { userDetail } from '../../lib/accounts/user-body.ts'
import type { tickets } from '../../lib/contract/operations/tickets.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { parseCredential } from '../../lib/secrets/credentials.ts'
import { takeTicket } from '../../lib/store/tickets.ts'

/** Exchanges a ticket for its user, once. Unknown, used, expired, signed out: the same answer to all of them. */
export const checkAuthTicket: UseCase<typeof tickets.checkAuthTicket> = async (
  { body, visitor },
  services,
) => {
  requireLookUps(services, visitor)
  const ticket = parseCredential(body.ticket)
  if (ticket?.kind !== 'auth_ticket') throw notFound()
  const user = await takeTicket(services.table, ticket.subject, ticket.hash, services.now())
  const link = user?.tickets[ticket.hash]?.accessToken
  if (!user || (link && !(await isLinkAlive(services, link, user)))) {
    await countFailedLookUp(services, visitor)
    throw notFound()
  }
  return { status: 200, body: await userDetail(services.table, user) }
}
