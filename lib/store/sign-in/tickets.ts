import { createHash } from 'node:crypto'
import { findWithUser } from '../directory/find-with-user.ts'
import type { UserRecord } from '../directory/user-record.ts'
import { type Condition, type Expressions, isPresent } from '../engine/expressions.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { apiTokenKey, sessionKey, ticketKey, userKey } from '../keys/keys.ts'
import { type TicketRecord, ticketCodec } from './ticket-record.ts'

/*
 * A ticket is an item in a partition of its own, so that no other record grows with the number of tickets. It has no
 * effect on its own: a check reads whether everything that the ticket depends on still works.
 */

/** Creates a ticket. */
export const createTicket = (
  table: Table,
  ticket: TicketRecord,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      put: { ...ticketKey(ticket.hash), ...ticket, expires_at: Math.ceil(ticket.expiresAt / 1000) },
    },
    ...extraSteps,
  ])

/**
 * The form in which a ticket stores its audience, because an origin can be long. 128 bits are enough to distinguish
 * origins.
 */
export const hashAudience = (origin: string): string =>
  createHash('sha256').update(origin).digest('base64url').slice(0, 22)

/** Reads a ticket, used or not, and its user in one call. */
export const findTicketAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ ticket: TicketRecord | undefined; user: UserRecord | undefined }> => {
  const [ticket, user] = await findWithUser(table, ticketCodec, ticketKey(hash), userId)
  return { ticket, user }
}

export type TicketRefusal = 'not_found' | 'already_used' | 'expired' | 'revoked' | 'wrong_audience'

/** A ticket does not work, for the reason in `refusal`. */
export class TicketRefused extends Error {
  readonly refusal: TicketRefusal

  constructor(refusal: TicketRefusal) {
    super('the ticket does not work')
    this.name = 'TicketRefused'
    this.refusal = refusal
  }
}

/**
 * Builds the steps that use a ticket as it was read. Of any number of concurrent transactions with them, one succeeds.
 * They also fail if the user was disabled or deleted, their sessions were ended, or the session or API token that created
 * the ticket ended since.
 *
 * @throws TicketRefused by the transaction
 */
export const buildTakeTicketSteps = (ticket: TicketRecord, nowMs: number): readonly Step[] => [
  {
    check: getCreatorKey(ticket),
    condition: isCreatorActive(ticket),
    orElse: () => new TicketRefused('revoked'),
  },
  {
    check: userKey(ticket.userId),
    condition: isUserActive(ticket, nowMs),
    orElse: () => new TicketRefused('revoked'),
  },
  {
    update: ticketKey(ticket.hash),
    changes: (x) => ({
      set: [`${x.path('takenAt')} = ${x.value(nowMs)}`],
      condition: isUnused(x),
    }),
    orElse: () => new TicketRefused('already_used'),
  },
]

/** Builds the step that ends a ticket. Fails if it was used or ended already. */
export const buildEndTicketStep = ({ hash }: TicketRecord): Step => ({
  delete: ticketKey(hash),
  condition: isUnused,
})

const isUnused: Condition = (x) =>
  `attribute_exists(${x.path('expiresAt')}) AND attribute_not_exists(${x.path('takenAt')})`

const getCreatorKey = ({ creator: { userId, hash }, isFromApiToken }: TicketRecord) =>
  isFromApiToken ? apiTokenKey(userId, hash) : sessionKey(userId, hash)

const isUserActive =
  ({ credentialEpoch }: TicketRecord, nowMs: number): Condition =>
  (x) => {
    const expiry = x.path('expiresAt')
    return [
      `${x.path('isEnabled')} = ${x.value(true)}`,
      `(${expiry} = ${x.value(null)} OR ${expiry} > ${x.value(nowMs)})`,
      `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`,
    ].join(' AND ')
  }

const isCreatorActive =
  ({ userId, actor, creator }: TicketRecord): Condition =>
  (x) =>
    [
      isPresent(x),
      ...requireValue(x, ['credentialEpoch'], creator.credentialEpoch),
      ...requireValue(x, ['impersonation', 'userId'], actor === undefined ? undefined : userId),
      ...requireValue(x, ['impersonation', 'until'], creator.impersonationUntil),
    ].join(' AND ')

/** Tickets of some kinds do not have every value. */
const requireValue = (x: Expressions, path: readonly string[], value: number | undefined): string[] =>
  value === undefined ? [] : [`${x.path(...path)} = ${x.value(value)}`]
