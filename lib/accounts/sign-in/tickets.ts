import { AppError } from '../../core/errors.ts'
import { keptTicketsPerUser, openTicketsPerUser, ticketLifetimeMs } from '../../core/limits.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { ConditionFailed } from '../../store/engine/transaction-errors.ts'
import { createTicket, hashAudience, isOutdatedTicket, type NewTicket } from '../../store/sign-in/tickets.ts'
import type { Principal } from '../common/principal.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'

export interface TicketAudience {
  /** The origin of the server that the ticket is for. Undefined means any server. */
  readonly origin: string | undefined
  /** Whether servers that name no audience can exchange the ticket, too. */
  readonly isOptional?: true
}

/**
 * Creates a ticket and returns its value. Another server can exchange it for the principal's user, once and within
 * `ticketLifetimeMs`.
 *
 * @throws AppError `too_many_requests` when the user has too many tickets
 * @throws AppError `not_authenticated` when the session ends concurrently
 */
export const issueTicket = async (
  { table, now }: Services,
  principal: Principal,
  context: RequestContext,
  audience: TicketAudience,
): Promise<string> => {
  const at = now()
  const { user, hash: creatorHash } = principal
  requireRoomForTicket(principal, at)
  const { value, hash } = mintCredential('auth_ticket', user.id)
  const creator = { hash: creatorHash, credentialEpoch: user.credentialEpoch }
  try {
    const fields = { expiresAt: getExpiry(principal, at), ...describeTicket(principal, audience) }
    const audit = auditStep(context, 'ticket.created', { user: user.id, target: audience.origin ?? null })
    await createTicket(table, user, { hash, creator, nowMs: at, ...fields }, [audit])
  } catch (error) {
    // The session ended or the user was disabled concurrently. A moment later, authentication would have failed.
    if (error instanceof ConditionFailed) throw new AppError('not_authenticated')
    throw error
  }
  return value
}

const requireRoomForTicket = ({ user }: Principal, nowMs: number): void => {
  const tickets = Object.values(user.tickets).filter((entry) => !isOutdatedTicket(entry, nowMs))
  const unused = tickets.filter(({ expiresAt, takenBy }) => nowMs < expiresAt && takenBy === undefined)
  if (unused.length >= openTicketsPerUser || tickets.length >= keptTicketsPerUser)
    throw new AppError('too_many_requests', { headers: { 'retry-after': String(ticketLifetimeMs / 1000) } })
}

const getExpiry = ({ session, apiToken, actor }: Principal, nowMs: number): number =>
  Math.min(
    nowMs + ticketLifetimeMs,
    session?.expiresAt ?? Number.POSITIVE_INFINITY,
    apiToken?.expiresAt ?? Number.POSITIVE_INFINITY,
    actor ? (session?.impersonation?.until ?? 0) : Number.POSITIVE_INFINITY,
  )

/** Everything that a check needs to know of the creation, so that it reads nothing but the ticket. */
const describeTicket = (
  { kind, session, scopes, actor }: Principal,
  { origin, isOptional }: TicketAudience,
): Omit<NewTicket, 'hash' | 'creator' | 'expiresAt' | 'nowMs'> =>
  omitUndefined({
    accessToken: session?.accessToken,
    actor: actor?.id,
    audience: origin === undefined ? undefined : hashAudience(origin),
    isAudienceOptional: isOptional,
    isFromApiToken: kind === 'api_token' || undefined,
    isScoped: scopes && (true as const),
    authentication: session && (session.authentication ?? { at: session.createdAt, methods: [] }),
  })
