import { recorded } from '../../lib/accounts/visitor.ts'
import type { tickets } from '../../lib/contract/operations/tickets.ts'
import { AppError } from '../../lib/core/errors.ts'
import { openTicketsPerUser, ticketLifetimeMs } from '../../lib/core/limits.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import { ConditionFailed } from '../../lib/store/outcomes.ts'
import { createTicket } from '../../lib/store/tickets.ts'

/** Makes a ticket that somebody else can exchange, once and soon, for the caller's user. */
export const createAuthTicket: UseCase<typeof tickets.createAuthTicket> = async (
  { principal, visitor },
  { table, now },
) => {
  const at = now()
  const { user, session, hash: makerHash } = principal
  const open = Object.values(user.tickets).filter(({ expiresAt }) => at < expiresAt)
  if (open.length >= openTicketsPerUser)
    throw new AppError('too_many_requests', { headers: { 'retry-after': String(ticketLifetimeMs / 1000) } })
  const { value, hash } = mintCredential('auth_ticket', user.id)
  const expiresAt = Math.min(
    at + ticketLifetimeMs,
    session?.expiresAt ?? Number.POSITIVE_INFINITY,
    principal.actor ? (session?.impersonation?.until ?? 0) : Number.POSITIVE_INFINITY,
  )
  const maker = { hash: makerHash, credentialEpoch: user.credentialEpoch }
  try {
    const record = recorded(visitor, 'ticket.created', { user: user.id })
    const ticket = { hash, expiresAt, ...(session?.accessToken ? { accessToken: session.accessToken } : {}) }
    await createTicket(table, user, maker, ticket, at, [record])
  } catch (error) {
    // Signed out or disabled while this was under way: the same answer as a moment later.
    if (error instanceof ConditionFailed) throw new AppError('not_authenticated')
    throw error
  }
  return { status: 200, body: { ticket: value } }
}
