import { ticketLifetimeMs } from '../../limits/limits.ts'
import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { createTicket, hashAudience, type TicketRecord } from '../../store/sign-in/tickets.ts'
import { omitUndefined } from '../../util/object-fields.ts'
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
 * `ticketLifetimeMs`. If the session ends concurrently, the ticket never works.
 */
export const issueTicket = async (
  { table, now }: Services,
  principal: Principal,
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
  { kind, hash, user, session, scopes, actor }: Principal,
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
    accessToken: session?.accessToken,
    actor: actor?.id,
    audience: origin === undefined ? undefined : hashAudience(origin),
    isAudienceOptional: isOptional,
    isFromApiToken: kind === 'api_token' || undefined,
    scopes,
    authentication: session?.authentication,
  })
