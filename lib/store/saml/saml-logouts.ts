import { createHash } from 'node:crypto'
import { isAbsent, takeUpdate } from '../engine/expressions.ts'
import { type Key, samlFlowKey } from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import { userMarkerCodec } from '../records/markers.ts'

/*
 * What sign-out has to remember of messages between an identity provider and us: that ours waits for its answer, and
 * that one of theirs was taken. Each ends in one conditional write.
 */

const pendingKey = (providerId: number, requestId: string): Key =>
  samlFlowKey(providerId, hashOf('logout-request', requestId))
const takenKey = (providerId: number, messageId: string): Key =>
  samlFlowKey(providerId, hashOf('logout-message', messageId))

const hashOf = (kind: string, id: string): string =>
  createHash('sha256').update(`${kind} ${id}`).digest('base64url')

/** Notes that a logout request of ours waits for its answer, for the user that it signs out. */
export const storeLogoutRequest = (
  providerId: number,
  requestId: string,
  userId: number,
  untilMs: number,
): Step => ({
  put: { ...pendingKey(providerId, requestId), userId, expires_at: Math.ceil(untilMs / 1000) },
})

/** Whose logout request that is, if it is one of ours to this provider. */
export const findLogoutRequest = (
  table: Table,
  providerId: number,
  requestId: string,
): Promise<{ readonly userId: number } | undefined> =>
  findRecord(table, userMarkerCodec, pendingKey(providerId, requestId))

/** Uses a logout request of ours up; false when it was answered before, or waits no more. */
export const takeLogoutResponse = (
  table: Table,
  providerId: number,
  requestId: string,
  nowMs: number,
  along: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      { update: pendingKey(providerId, requestId), changes: takeUpdate(Math.floor(nowMs / 1000)) },
      ...along,
    ]),
  )

/** Takes a message of a provider; false when it was taken before. It is remembered until the time when it is stale. */
export const takeLogoutRequest = (
  table: Table,
  providerId: number,
  messageId: string,
  untilMs: number,
  along: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      {
        put: { ...takenKey(providerId, messageId), expires_at: Math.ceil(untilMs / 1000) },
        condition: isAbsent,
      },
      ...along,
    ]),
  )
