import { requireReturnUrl } from '../../lib/accounts/common/return-url.ts'
import { buildTicketUrl } from '../../lib/accounts/sign-in/ticket-url.ts'
import type { tickets } from '../../lib/contract/operations/tickets.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

/** Checks where a sign-in page may return to, before anyone has signed in. */
export const checkReturnUrl: UseCase<typeof tickets.checkReturnUrl> = async ({ query }, { config }) => {
  const { href, origin } = requireReturnUrl(config, query.return_to ?? '/')
  return { status: 200, body: { return_to: href, origin, is_external: origin !== config.publicUrl } }
}

/**
 * Returns where the browser goes after the sign-in. For another allowed origin, the URL gets a ticket that identifies
 * the user to the product. A page can read the answer only if it is one of this service, so no other site gets tickets.
 */
export const continueToReturnUrl: UseCase<typeof tickets.continueToReturnUrl> = async (
  { body, principal, context },
  services,
) => {
  const url = requireReturnUrl(services.config, body.return_to)
  const isOwnPage = url.origin === services.config.publicUrl
  const location = isOwnPage ? url.href : await buildTicketUrl(services, principal, context, url)
  return { status: 200, body: { location } }
}
