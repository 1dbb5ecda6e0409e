import { withScopes } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditRefusal } from '../../accounts/events/refusals.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { ticketLifetimeMs } from '../../kernel/limits/limits.ts'
import { type Credential, mintCredential } from '../../kernel/secrets/credentials.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { AccessLinkRecord } from '../access-links/link.records.ts'
import { findLinkOfSession, withLinkScope } from '../access-links/link-session.ts'
import { findImpersonator } from '../impersonation/rules.ts'
import { findSameMembership, withEffectiveRoles } from '../organizations/access.ts'
import type { ActingPrincipal } from '../organizations/acting-principal.ts'
import type { OrganizationMembership } from '../organizations/memberships.records.ts'
import { withSessionRights } from '../sign-in/organization-sessions.ts'
import {
  buildTakeTicketSteps,
  createTicket,
  findTicketAndUser,
  hashAudience,
  type TicketRecord,
  type TicketRefusal,
  TicketRefused,
} from './records.ts'

export interface TicketAudience {
  /** The origin of the server that the ticket is for. Undefined means any server. */
  readonly origin: string | undefined
  /** Whether servers that name no audience can exchange the ticket, too. */
  readonly isOptional?: true
}

/**
 * Creates a ticket and returns its value. Another server can exchange it for the principal's user, once and within
 * `ticketLifetimeMs`. If the session ends concurrently, the ticket never works.
 */
export const issueTicket = async (
  { table, now }: Services,
  principal: ActingPrincipal,
  context: RequestContext,
  audience: TicketAudience,
): Promise<string> => {
  const { user } = principal
  const { value, hash } = mintCredential('auth_ticket', user.id)
  const ticket = { hash, expiresAt: getExpiry(principal, now()), ...describeTicket(principal, audience) }
  await createTicket(table, ticket, [
    auditStep(context, 'ticket.created', { user: user.id, target: audience.origin ?? null }),
  ])
  return value
}

const getExpiry = ({ session, apiToken, actor }: Principal, nowMs: number): number =>
  Math.min(
    nowMs + ticketLifetimeMs,
    session?.expiresAt ?? Number.POSITIVE_INFINITY,
    apiToken?.expiresAt ?? Number.POSITIVE_INFINITY,
    actor ? (session?.impersonation?.until ?? 0) : Number.POSITIVE_INFINITY,
  )

/** What a check needs to know of the creation. */
const describeTicket = (
  { kind, hash, user, session, scopes, actor, organization }: ActingPrincipal,
  { origin, isOptional }: TicketAudience,
): Omit<TicketRecord, 'hash' | 'expiresAt'> =>
  omitUndefined({
    userId: user.id,
    credentialEpoch: user.credentialEpoch,
    creator: omitUndefined({
      userId: (actor ?? user).id,
      hash,
      credentialEpoch: session?.credentialEpoch,
      impersonationUntil: actor && session?.impersonation?.until,
    }),
    accessLink: session?.accessLink,
    actor: actor?.id,
    audience: origin === undefined ? undefined : hashAudience(origin),
    isAudienceOptional: isOptional,
    isFromApiToken: kind === 'api_token' || undefined,
    scopes,
    organization: organization?.organization.id,
    joining: organization?.membership.joining,
    authentication: session?.authentication,
    rightsProof: session && describeRightsProof(session),
  })

const describeRightsProof = ({
  limitedTo,
  factorRule,
  isAdministrator,
  createdAt,
  lastSeenAt,
  wasIdle,
}: SessionRecord): TicketRecord['rightsProof'] => ({
  createdAt,
  lastSeenAt,
  ...omitUndefined({ limitedTo, factorRule, isAdministrator, wasIdle }),
})

/**
 * Returns the URL with a ticket for its origin as `?ticket=`. It replaces every ticket that the URL already contains,
 * because that one could identify another user. Products that do not name an audience yet can exchange it, too.
 */
export const buildTicketUrl = async (
  services: Services,
  principal: ActingPrincipal,
  context: RequestContext,
  target: URL,
): Promise<string> => {
  const url = new URL(target)
  const audience = { origin: url.origin, isOptional: true } as const
  url.searchParams.set('ticket', await issueTicket(services, principal, context, audience))
  return url.href
}

/** A ticket that can be exchanged now. */
export interface UsableTicket {
  readonly ticket: TicketRecord
  /** Limited to what the link or the API token allows: the server that checks the ticket must not grant more. */
  readonly user: UserRecord
  readonly impersonator?: UserRecord
  /** The access link that opened the session of the ticket. */
  readonly link?: AccessLinkRecord
  readonly organization?: OrganizationMembership
}

/**
 * Finds a ticket that a server presents, and decides about everything that it depends on except its session or API token.
 * `useTicket` decides about these, and again about the user. Takes one table call, or more for a ticket of an access link, an
 * impersonation or an organization.
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
  const usable = await limitUser(services, ticket, user)
  if (ticket.organization === undefined) return usable
  const found = await findSameMembership(services.table, {
    userId: user.id,
    organizationId: ticket.organization,
    joining: ticket.joining,
  })
  if (!found) throw new TicketRefused('revoked')
  // Without its session, only what the account allows counts.
  return { ...usable, organization: withEffectiveRoles({ user }, found) }
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
  const { accessLink, actor, creator } = ticket
  if (accessLink) {
    const link = await findLinkOfSession(services, accessLink, user, creator.hash)
    if (link) return { ticket, user: withLinkScope(user), link }
    throw new TicketRefused('revoked')
  }
  if (actor === undefined) {
    const { authentication, rightsProof } = ticket
    const proof = authentication && rightsProof && { authentication, ...rightsProof }
    const owner = proof ? withSessionRights(services, proof, user) : user
    return { ticket, user: await withScopes(services.table, owner, ticket.scopes) }
  }
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
