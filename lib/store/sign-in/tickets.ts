import { createHash, randomUUID } from 'node:crypto'
import { outdatedEntriesPerWrite } from '../../core/limits.ts'
import { findUsers } from '../directory/users.ts'
import type { Expressions, Update } from '../engine/expressions.ts'
import { userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { ConditionFailed } from '../engine/transaction-errors.ts'
import { type TicketEntry, type UserRecord, userKind } from '../records/user-record.ts'

/*
 * Tickets are part of their user's record. So one conditional write uses a ticket and checks everything it depends on:
 * the user is active, the session that created the ticket has not ended, and not all sessions were ended. It also returns
 * the user at that moment. So a check takes one call, and nothing can change between the check and the use.
 */

export interface NewTicket extends Omit<TicketEntry, 'session' | 'takenBy' | 'takenAt'> {
  readonly hash: string
  /** The session or API token that creates the ticket. The ticket is revoked with it. */
  readonly creator: { readonly hash: string; readonly credentialEpoch: number }
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/**
 * Adds a ticket to a user as they were read, and removes outdated ones.
 *
 * @throws ConditionFailed if the creator ended, or the user was disabled or deleted, since.
 */
export const createTicket = async (
  table: Table,
  user: UserRecord,
  { hash, creator, nowMs, ...fields }: NewTicket,
  extraSteps: readonly Step[] = [],
): Promise<void> => {
  const outdated = Object.entries(user.tickets)
    .filter(([, entry]) => isOutdatedTicket(entry, nowMs))
    .slice(0, outdatedEntriesPerWrite)
  const changes: Update = (x) => ({
    set: [`${x.path('tickets', hash)} = ${x.value({ ...fields, session: creator.hash })}`],
    remove: outdated.map(([old]) => x.path('tickets', old)),
    condition: [
      `${x.path('credentialEpoch')} = ${x.value(creator.credentialEpoch)}`,
      `${x.path('isEnabled')} = ${x.value(true)}`,
      `attribute_not_exists(${x.path('endedSessions', creator.hash)})`,
    ].join(' AND '),
  })
  await table.transact([{ update: userKey(user.id), changes }, ...extraSteps])
}

/** Longer than all attempts of a call that used a ticket and whose answer was lost. */
const usedTicketRetentionMs = 15_000

/** Whether a ticket can be removed: it has expired, or was used a while ago. */
export const isOutdatedTicket = ({ expiresAt, takenAt }: TicketEntry, nowMs: number): boolean =>
  expiresAt <= nowMs || (takenAt !== undefined && takenAt <= nowMs - usedTicketRetentionMs)

/**
 * The form in which a ticket stores its audience. An origin can be long, and a user can have hundreds of tickets. 128 bits
 * are enough to distinguish origins.
 */
export const hashAudience = (origin: string): string =>
  createHash('sha256').update(origin).digest('base64url').slice(0, 22)

/** The ticket that a server presents. */
export interface PresentedTicket {
  readonly userId: number
  readonly hash: string
  /** The origin that the server names as its own. */
  readonly audience: string | undefined
}

/**
 * Whether a user has a ticket that was not used yet. `takeTicket` requires more than that. Uses a batch read, because
 * every function already has the permission for it.
 */
export const hasUnusedTicket = async (
  table: Table,
  { userId, hash }: Pick<PresentedTicket, 'userId' | 'hash'>,
): Promise<boolean> => {
  const [user] = await findUsers(table, [userId])
  const entry = user?.tickets[hash]
  return entry !== undefined && entry.takenBy === undefined
}

/**
 * Uses a ticket and returns its user. Of any number of concurrent callers, one gets the user. Returns undefined for a
 * ticket that is unknown, used or expired, whose session has ended, or whose user may no longer sign in. A ticket for
 * another audience stays unused.
 */
export const takeTicket = async (
  table: Table,
  { userId, hash, audience }: PresentedTicket,
  nowMs: number,
): Promise<UserRecord | undefined> => {
  const caller = randomUUID()
  try {
    const item = await table.update(userKey(userId), (x) => {
      const entry = (field: string) => x.path('tickets', hash, field)
      const expiry = x.path('expiresAt')
      return {
        set: [`${entry('takenBy')} = ${x.value(caller)}`, `${entry('takenAt')} = ${x.value(nowMs)}`],
        condition: [
          `${entry('expiresAt')} > ${x.value(nowMs)}`,
          // The SDK repeats a call whose answer was lost. The repeated call of the same caller must succeed.
          `(attribute_not_exists(${entry('takenBy')}) OR ${entry('takenBy')} = ${x.value(caller)})`,
          isForAudience(x, hash, audience),
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

/** Ends a ticket. Fails if it was used or ended already. */
export const buildEndTicketStep = (userId: number, hash: string): Step => ({
  update: userKey(userId),
  changes: (x) => ({
    remove: [x.path('tickets', hash)],
    condition: `attribute_exists(${x.path('tickets', hash)}) AND attribute_not_exists(${x.path('tickets', hash, 'takenBy')})`,
  }),
})

/** A server that names an audience accepts only tickets for it. Otherwise it would have to know who creates tickets. */
const isForAudience = (x: Expressions, hash: string, audience: string | undefined): string => {
  const stored = x.path('tickets', hash, 'audience')
  if (audience !== undefined) return `${stored} = ${x.value(hashAudience(audience))}`
  const isOptional = x.path('tickets', hash, 'isAudienceOptional')
  return `(attribute_not_exists(${stored}) OR ${isOptional} = ${x.value(true)})`
}
