import { issueTicket } from '../../lib/accounts/sign-in/tickets.ts'
import type { tickets } from '../../lib/contract/operations/tickets.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Makes a ticket that somebody else can exchange, once and soon, for the caller's user. */
export const createAuthTicket: UseCase<typeof tickets.createAuthTicket> = async (
  { principal, context },
  services,
) => ({ status: 200, body: { ticket: await issueTicket(services, principal, context) } })
