import { AppError } from '../../core/errors.ts'
import { keptTicketsPerUser, openTicketsPerUser, ticketLifetimeMs } from '../../core/limits.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { mintCredential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { ConditionFailed } from '../../store/engine/transaction-errors.ts'
import { createTicket } from '../../store/sign-in/tickets.ts'
import type { Principal } from '../common/principal.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'

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
): Promise<string> => {
  const at = now()
  const { user, session, hash: creatorHash } = principal
  const tickets = Object.values(user.tickets)
  const unused = tickets.filter(({ expiresAt, takenBy }) => at < expiresAt && takenBy === undefined)
  if (unused.length >= openTicketsPerUser || tickets.length >= keptTicketsPerUser)
    throw new AppError('too_many_requests', { headers: { 'retry-after': String(ticketLifetimeMs / 1000) } })
  const { value, hash } = mintCredential('auth_ticket', user.id)
  const expiresAt = Math.min(
    at + ticketLifetimeMs,
    session?.expiresAt ?? Number.POSITIVE_INFINITY,
    principal.actor ? (session?.impersonation?.until ?? 0) : Number.POSITIVE_INFINITY,
  )
  const creator = { hash: creatorHash, credentialEpoch: user.credentialEpoch }
  try {
    const fields = omitUndefined({
      accessToken: session?.accessToken,
      actor: principal.actor?.id,
    })
    const audit = auditStep(context, 'ticket.created', { user: user.id })
    await createTicket(table, user, { hash, creator, expiresAt, nowMs: at, ...fields }, [audit])
  } catch (error) {
    // The session ended or the user was disabled concurrently. A moment later, authentication would have failed.
    if (error instanceof ConditionFailed) throw new AppError('not_authenticated')
    throw error
  }
  return value
}
