import { AppError } from '../../core/errors.ts'
import { keptTicketsPerUser, openTicketsPerUser, ticketLifetimeMs } from '../../core/limits.ts'
import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { ConditionFailed } from '../../store/engine/transaction-errors.ts'
import { createTicket } from '../../store/sign-in/tickets.ts'
import type { Principal } from '../common/principal.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'

/**
 * Makes a ticket that somebody else can exchange, once and soon, for the user of a principal; returns its value.
 *
 * @throws AppError `too_many_requests` while the user has too many unused ones.
 * @throws AppError `not_authenticated` when the session ends at this moment.
 */
export const issueTicket = async (
  { table, now }: Services,
  principal: Principal,
  context: RequestContext,
): Promise<string> => {
  const at = now()
  const { user, session, hash: makerHash } = principal
  const kept = Object.values(user.tickets)
  const open = kept.filter(({ expiresAt, takenBy }) => at < expiresAt && takenBy === undefined)
  if (open.length >= openTicketsPerUser || kept.length >= keptTicketsPerUser)
    throw new AppError('too_many_requests', { headers: { 'retry-after': String(ticketLifetimeMs / 1000) } })
  const { value, hash } = mintCredential('auth_ticket', user.id)
  const expiresAt = Math.min(
    at + ticketLifetimeMs,
    session?.expiresAt ?? Number.POSITIVE_INFINITY,
    principal.actor ? (session?.impersonation?.until ?? 0) : Number.POSITIVE_INFINITY,
  )
  const maker = { hash: makerHash, credentialEpoch: user.credentialEpoch }
  try {
    const record = auditStep(context, 'ticket.created', { user: user.id })
    const ticket = {
      hash,
      expiresAt,
      ...(session?.accessToken ? { accessToken: session.accessToken } : {}),
      ...(principal.actor ? { actor: principal.actor.id } : {}),
    }
    await createTicket(table, user, maker, ticket, at, [record])
  } catch (error) {
    // Signed out or disabled while this was under way: the same answer as a moment later.
    if (error instanceof ConditionFailed) throw new AppError('not_authenticated')
    throw error
  }
  return value
}
