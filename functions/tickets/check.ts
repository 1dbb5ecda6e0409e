import { countFailedLookup, hasManyFailedLookups } from '../../lib/accounts/common/lookup-throttle.ts'
import { withScopes } from '../../lib/accounts/common/permissions.ts'
import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import { findImpersonator } from '../../lib/accounts/sign-in/impersonation.ts'
import { isLinkActive, withLinkScope } from '../../lib/accounts/sign-in/link-session.ts'
import { auditRefusedTicket } from '../../lib/accounts/sign-in/ticket-audit.ts'
import type { TicketContext } from '../../lib/contract/models/ticket.ts'
import type { tickets } from '../../lib/contract/operations/tickets.ts'
import { notFound } from '../../lib/core/errors.ts'
import { formatTime } from '../../lib/core/format-time.ts'
import { auditedUserAgentLength } from '../../lib/core/limits.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { parseCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import type { TicketEntry, UserRecord } from '../../lib/store/records/user-record.ts'
import { findApiTokenAndUser } from '../../lib/store/sign-in/api-tokens.ts'
import { hasUnusedTicket, type PresentedTicket, takeTicket } from '../../lib/store/sign-in/tickets.ts'

/**
 * Exchanges a ticket for its user, once. Unknown, used, expired, and revoked tickets get the same response, as do tickets
 * for another audience.
 */
export const checkAuthTicket: UseCase<typeof tickets.checkAuthTicket> = async (
  { body, context },
  services,
) => {
  const ticket = parseCredential(body.ticket)
  if (ticket?.kind !== 'auth_ticket') throw notFound()
  const presented = { userId: ticket.subject, hash: ticket.hash, audience: body.audience }
  const taken = await takeActiveTicket(services, context, presented)
  if (!taken) {
    await auditRefusedTicket(services, context, ticket)
    await countFailedLookup(services, context)
    throw notFound()
  }
  const { user, entry, impersonator } = taken
  // The one call that uses the ticket returns the user, so it cannot store an audit event as well.
  const { address, requestId, userAgent } = context
  services.log.info('ticket.exchanged', {
    request_id: requestId,
    user: user.id,
    actor: impersonator?.id ?? null,
    address,
    user_agent: userAgent.slice(0, auditedUserAgentLength),
  })
  const detail = await toUserDetail(services.table, user)
  const isContextIncluded = body.include?.includes('context')
  return {
    status: 200,
    body: isContextIncluded ? { ...detail, context: toContextBody(entry, impersonator) } : detail,
  }
}

interface TakenTicket {
  /** Limited to what the link or the API token allows: the server that checks the ticket must not grant more. */
  readonly user: UserRecord
  readonly entry: TicketEntry
  readonly impersonator?: UserRecord
}

/** Uses a ticket. The link, the API token or the impersonation that it was issued with must still be active. */
const takeActiveTicket = async (
  services: Services,
  context: RequestContext,
  ticket: PresentedTicket,
): Promise<TakenTicket | undefined> => {
  // A refused write costs as much as the whole user record. A flood of them would slow down the user, unlike reads.
  if (hasManyFailedLookups(services, context) && !(await hasUnusedTicket(services.table, ticket)))
    return undefined
  const user = await takeTicket(services.table, ticket, services.now())
  const entry = user?.tickets[ticket.hash]
  if (!user || !entry) return undefined
  const { accessToken, actor, isScoped, session } = entry
  if (accessToken)
    return (await isLinkActive(services, accessToken, user, session))
      ? { user: withLinkScope(user), entry }
      : undefined
  if (isScoped) {
    const { token } = await findApiTokenAndUser(services.table, user.id, session)
    return token && { user: await withScopes(services.table, user, token.scopes), entry }
  }
  if (actor === undefined) return { user, entry }
  const impersonator = await findImpersonator(services, { userId: actor, hash: session }, user)
  return impersonator && { user, entry, impersonator }
}

const toContextBody = (
  { isFromApiToken, authentication, accessToken }: TicketEntry,
  impersonator: UserRecord | undefined,
): TicketContext => ({
  credential: isFromApiToken ? 'api_token' : 'session',
  authenticated_at: formatTime(authentication?.at ?? null),
  methods: [...(authentication?.methods ?? [])],
  impersonator: impersonator ? { id: impersonator.id, username: impersonator.username } : null,
  access_token: accessToken?.id ?? null,
})
