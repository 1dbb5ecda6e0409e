import { requireReturnUrl } from '../../lib/accounts/common/return-url.ts'
import { buildTicketUrl } from '../../lib/accounts/sign-in/ticket-url.ts'
import { issueTicket } from '../../lib/accounts/sign-in/tickets.ts'
import { tickets } from '../../lib/contract/operations/tickets.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { checkAuthTicket } from './check.ts'

/** Checks where a sign-in page may return to, before anyone has signed in. */
const checkReturnUrl: UseCase<typeof tickets.checkReturnUrl> = async ({ query }, { config }) => {
  const { href, origin } = requireReturnUrl(config, query.return_to ?? '/')
  return { status: 200, body: { return_to: href, origin, is_external: origin !== config.publicUrl } }
}

/**
 * Returns where the browser goes after the sign-in. For another allowed origin, the URL gets a ticket that identifies
 * the user to the product. A page can read the answer only if it is one of this service, so no other site gets tickets.
 */
const continueToReturnUrl: UseCase<typeof tickets.continueToReturnUrl> = async (
  { body, principal, context },
  services,
) => {
  const url = requireReturnUrl(services.config, body.return_to)
  const isOwnPage = url.origin === services.config.publicUrl
  const location = isOwnPage ? url.href : await buildTicketUrl(services, principal, context, url)
  return { status: 200, body: { location } }
}

/** Creates a ticket that another server can exchange once, within its short lifetime, for the caller's user. */
const createAuthTicket: UseCase<typeof tickets.createAuthTicket> = async (
  { body, principal, context },
  services,
) => ({
  status: 200,
  body: { ticket: await issueTicket(services, principal, context, { origin: body.audience }) },
})

export const handler = createGroupHandler(tickets, {
  createAuthTicket,
  checkAuthTicket,
  checkReturnUrl,
  continueToReturnUrl,
})
