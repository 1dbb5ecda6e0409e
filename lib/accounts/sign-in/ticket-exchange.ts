import type { Credential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import type { AccessTokenRecord } from '../../store/links/access-token-record.ts'
import {
  buildTakeTicketSteps,
  findTicketAndUser,
  hashAudience,
  type TicketRecord,
  TicketRefused,
} from '../../store/sign-in/tickets.ts'
import { isActive } from '../common/active-user.ts'
import { withScopes } from '../common/permissions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { findImpersonator } from './impersonation.ts'
import { findLinkOfSession, withLinkScope } from './link-session.ts'

/** A ticket that can be exchanged now. */
export interface UsableTicket {
  readonly ticket: TicketRecord
  /** Limited to what the link or the API token allows: the server that checks the ticket must not grant more. */
  readonly user: UserRecord
  readonly impersonator?: UserRecord
  /** The access link that opened the session of the ticket. */
  readonly link?: AccessTokenRecord
}

/**
 * Finds a ticket that a server presents, and decides about everything that it depends on except its session or API token.
 * `useTicket` decides about these, and again about the user. Takes one table call, or more for a ticket of an access link or an impersonation.
 *
 * @param audience the origin that the server names as its own
 * @throws TicketRefused
 */
export const findUsableTicket = async (
  services: Services,
  { subject, hash }: Pick<Credential, 'subject' | 'hash'>,
  audience: string | undefined,
): Promise<UsableTicket> => {
  const { ticket, user } = await findTicketAndUser(services.table, subject, hash)
  if (!ticket) throw new TicketRefused('not_found')
  const now = services.now()
  if (ticket.expiresAt <= now) throw new TicketRefused('expired')
  if (ticket.takenAt !== undefined) throw new TicketRefused('already_used')
  if (!isForAudience(ticket, audience)) throw new TicketRefused('wrong_audience')
  if (!user || !isActive(user, now) || user.credentialEpoch !== ticket.credentialEpoch)
    throw new TicketRefused('revoked')
  return limitUser(services, ticket, user)
}

/** A server that names an audience accepts only tickets for it. Otherwise it would have to know who creates tickets. */
const isForAudience = (
  { audience: expected, isAudienceOptional }: TicketRecord,
  audience: string | undefined,
): boolean =>
  audience === undefined
    ? expected === undefined || isAudienceOptional === true
    : expected === hashAudience(audience)

/** The link or the impersonation that the ticket was created with must still be active. */
const limitUser = async (
  services: Services,
  ticket: TicketRecord,
  user: UserRecord,
): Promise<UsableTicket> => {
  const { accessToken, actor, creator } = ticket
  if (accessToken) {
    const link = await findLinkOfSession(services, accessToken, user, creator.hash)
    if (link) return { ticket, user: withLinkScope(user), link }
    throw new TicketRefused('revoked')
  }
  if (actor === undefined) return { ticket, user: await withScopes(services.table, user, ticket.scopes) }
  const impersonator = await findImpersonator(services, { userId: actor, hash: creator.hash }, user)
  if (!impersonator) throw new TicketRefused('revoked')
  return { ticket, user, impersonator }
}

/**
 * Uses a ticket, and stores that in the same transaction. Of any number of concurrent calls, one succeeds.
 *
 * @throws TicketRefused if the ticket was used, its session or API token ended, or its user was disabled, since it was read
 */
export const useTicket = (
  { table, now }: Services,
  context: RequestContext,
  { ticket, user, impersonator }: UsableTicket,
  audience: string | undefined,
): Promise<void> =>
  table.transact([
    ...buildTakeTicketSteps(ticket, now()),
    auditStep(context, 'ticket.exchanged', {
      user: user.id,
      actor: impersonator?.id ?? null,
      target: audience ?? null,
    }),
  ])
