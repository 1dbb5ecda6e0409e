import { randomUUID } from 'node:crypto'
import type { Update } from '../engine/expressions.ts'
import { userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { ConditionFailed } from '../engine/transaction-errors.ts'
import { type TicketEntry, type UserRecord, userKind } from '../records/user-record.ts'

/*
 * Tickets lie in the record of their user. So one conditional write uses a ticket up, makes sure of everything it
 * hangs on (the user works, the session that made it hasn't ended, nobody ended all sessions) and brings the user
 * back as it is at that moment: a check is one call, and nothing can change between looking and taking.
 */

/**
 * Adds a ticket to a user as it was read, and clears away those that are over. It dies with its maker, a session or an
 * API token.
 *
 * @throws ConditionFailed when the maker ended, or the user was disabled or deleted, in the meantime.
 */
export const createTicket = async (
  table: Table,
  user: UserRecord,
  maker: { readonly hash: string; readonly credentialEpoch: number },
  ticket: Pick<TicketEntry, 'expiresAt' | 'accessToken' | 'actor'> & { readonly hash: string },
  nowMs: number,
  along: readonly Step[] = [],
): Promise<void> => {
  const over = Object.entries(user.tickets).filter(([, entry]) => isOver(entry, nowMs))
  const { hash, ...kept } = ticket
  const add: Update = (x) => ({
    set: [`${x.path('tickets', hash)} = ${x.value({ ...kept, session: maker.hash })}`],
    remove: over.map(([old]) => x.path('tickets', old)),
    condition: [
      `${x.path('credentialEpoch')} = ${x.value(maker.credentialEpoch)}`,
      `${x.path('isEnabled')} = ${x.value(true)}`,
      `attribute_not_exists(${x.path('endedSessions', maker.hash)})`,
    ].join(' AND '),
  })
  await table.transact([{ update: userKey(user.id), changes: add }, ...along])
}

/** How long a used ticket is kept: past every try of the call that used it, whose answer may have got lost. */
const usedMemoryMs = 15_000

const isOver = ({ expiresAt, takenAt }: TicketEntry, nowMs: number): boolean =>
  expiresAt <= nowMs || (takenAt !== undefined && takenAt <= nowMs - usedMemoryMs)

/**
 * Uses a ticket up and returns its user; of any number of callers one gets it. Undefined for a ticket that is
 * unknown, used, expired, of an ended session, or of a user who may no longer sign in.
 */
export const takeTicket = async (
  table: Table,
  userId: number,
  hash: string,
  nowMs: number,
): Promise<UserRecord | undefined> => {
  const taker = randomUUID()
  try {
    const item = await table.update(userKey(userId), (x) => {
      const entry = (field: string) => x.path('tickets', hash, field)
      const expiry = x.path('expiresAt')
      return {
        set: [`${entry('takenBy')} = ${x.value(taker)}`, `${entry('takenAt')} = ${x.value(nowMs)}`],
        condition: [
          `${entry('expiresAt')} > ${x.value(nowMs)}`,
          // The table makes a lost call again: the taker that won is let through a second time, and nobody else.
          `(attribute_not_exists(${entry('takenBy')}) OR ${entry('takenBy')} = ${x.value(taker)})`,
          `${x.path('isEnabled')} = ${x.value(true)}`,
          `(${expiry} = ${x.value(null)} OR ${expiry} > ${x.value(nowMs)})`,
        ].join(' AND '),
      }
    })
    const user = userKind.codec.decode(item)
    const session = user.tickets[hash]?.session
    return session !== undefined && !(session in user.endedSessions) ? user : undefined
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}
