import { countFailedLookup } from '../../accounts/callers/throttle.ts'
import { toUserDetail } from '../../accounts/users/user-body.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { parseCredential } from '../../kernel/secrets/credentials.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { AccessLinkRecord } from '../access-links/link.records.ts'
import { showObjects } from '../access-links/shown-links.ts'
import { toCurrentBody } from '../organizations/body.ts'
import { createOrganizationRefusal, enterNamedOrganization } from '../organizations/named-organization.ts'
import { requireReturnUrl } from '../sign-in/destinations.ts'
import { getStatedTime } from '../sign-in/proof-time.ts'
import type { TicketAccessLink, TicketContext } from './models.ts'
import type { tickets } from './operations.ts'
import { TicketRefused } from './records.ts'
import {
  auditRefusedTicket,
  buildTicketUrl,
  findUsableTicket,
  issueTicket,
  type UsableTicket,
  useTicket,
} from './rules.ts'

/** All tickets that are refused get the same answer, so no one learns which tickets existed. */
const createUnknownTicketError = (): AppError =>
  new AppError('not_found', {
    detail:
      'The ticket is unknown, used, expired or revoked, or it is for another audience. Check each ticket once, with its audience, and get a new one.',
  })

/**
 * Exchanges a ticket for its user, once. Unknown, used, expired, and revoked tickets get the same response, as do tickets
 * for another audience.
 */
export const checkAuthTicket: UseCase<typeof tickets.checkAuthTicket> = async (
  { body, context },
  services,
) => {
  const credential = parseCredential(body.ticket)
  if (credential?.kind !== 'auth_ticket') throw createUnknownTicketError()
  try {
    const usable = await findUsableTicket(services, credential, body.audience)
    // Read before the write: an error after it would use up the ticket in vain.
    const { organization, ticket, user } = usable
    const detail = {
      ...(await toUserDetail(services.table, user)),
      ...(organization && { organization: toCurrentBody(organization, ticket.scopes) }),
    }
    await useTicket(services, context, usable, body.audience)
    const isContextIncluded = body.include?.includes('context')
    return { status: 200, body: isContextIncluded ? { ...detail, context: toContextBody(usable) } : detail }
  } catch (error) {
    if (!(error instanceof TicketRefused)) throw error
    await auditRefusedTicket(services, context, credential.subject, error.refusal)
    await countFailedLookup(services, context)
    throw createUnknownTicketError()
  }
}

const toContextBody = ({
  ticket: { isFromApiToken, authentication, accessLink },
  impersonator,
  link,
}: UsableTicket): TicketContext => ({
  credential: isFromApiToken ? 'api_token' : 'session',
  authenticated_at: formatTime(authentication ? getStatedTime(authentication) : null),
  methods: [...(authentication?.methods ?? [])],
  impersonator: impersonator ? { id: impersonator.id, username: impersonator.username } : null,
  access_token: accessLink?.id ?? null,
  access_link: link ? toLinkBody(link) : null,
})

const toLinkBody = (link: AccessLinkRecord): TicketAccessLink => {
  const { bundles, directories } = showObjects(link)
  return {
    id: link.id,
    shared_bundles: [...bundles],
    shared_directories: [...directories],
    expires: formatTime(link.expiresAt),
  }
}

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

/** Creates a ticket that another server can exchange once, within its short lifetime, for the caller's user. */
export const createAuthTicket: UseCase<typeof tickets.createAuthTicket> = async (
  { body, principal, context },
  services,
) => {
  const caller =
    body.organization === undefined
      ? principal
      : await enterNamedOrganization(services, principal, body.organization)
  if (!caller) throw createOrganizationRefusal()
  const ticket = await issueTicket(services, caller, context, { origin: body.audience })
  return { status: 200, body: { ticket } }
}
