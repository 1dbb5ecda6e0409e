import type { Credential } from '../../secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { findUser } from '../../store/directory/users.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { hasManyFailedLookups } from '../common/lookup-throttle.ts'
import { auditRefusal } from '../common/refusal-audit.ts'
import type { RequestContext } from '../common/request-context.ts'

/**
 * Stores that a ticket was refused, and why. A ticket that was used before may be stolen, so its user is part of the
 * event. A value that was made up names no user.
 */
export const auditRefusedTicket = async (
  services: Services,
  context: RequestContext,
  { subject, hash }: Pick<Credential, 'subject' | 'hash'>,
): Promise<void> => {
  // A network that sends many wrong values must not cost more reads.
  const user = hasManyFailedLookups(services, context) ? undefined : await findUser(services.table, subject)
  const details = user?.tickets[hash]
    ? { user: subject, outcome: describeRefusal(user, hash, services.now()) }
    : { outcome: 'not_found' }
  await auditRefusal(services, context, 'ticket.refused', details)
}

const describeRefusal = ({ tickets, endedSessions }: UserRecord, hash: string, nowMs: number): string => {
  const { expiresAt = 0, takenBy, session = '' } = tickets[hash] ?? {}
  if (expiresAt <= nowMs) return 'expired'
  return takenBy === undefined || session in endedSessions ? 'revoked' : 'already_used'
}
