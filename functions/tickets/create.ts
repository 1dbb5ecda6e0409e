import { issueTicket } from '../../lib/accounts/sign-in/tickets.ts'
import type { tickets } from '../../lib/contract/operations/tickets.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Creates a ticket that another server can exchange once, within its short lifetime, for the caller's user. */
export const createAuthTicket: UseCase<typeof tickets.createAuthTicket> = async (
  { body, principal, context },
  services,
) => ({
  status: 200,
  body: { ticket: await issueTicket(services, principal, context, { origin: body.audience }) },
})
