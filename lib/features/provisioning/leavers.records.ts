import { randomInt } from 'node:crypto'
import { isAbsent } from '../../kernel/table/expressions.ts'
import { scimLeaverCountKey, scimNoticeKey } from '../../kernel/table/keys/scim-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { minute, toSeconds } from '../../kernel/util/time.ts'
import { readScimCount } from './counts.records.ts'

/*
 * How many people the directory of a connection ended in the last ten minutes. They are counted by the minute, in one of several items each.
 */

const shards = 4
const minutesCounted = 10

/** More than this many, and more than a fifth of all people, are many. */
const manyLeavers = 50
const manyShare = 0.2

/** Counts a leaver. Returns whether many left lately. */
export const countLeaver = async (table: Table, connectionId: number, nowMs: number): Promise<boolean> => {
  const atMinute = Math.floor(nowMs / minute)
  await table.update(scimLeaverCountKey(connectionId, atMinute, randomInt(shards)), (x) => ({
    set: [
      `${x.path('people')} = if_not_exists(${x.path('people')}, ${x.value(0)}) + ${x.value(1)}`,
      `${x.path('expires_at')} = ${x.value(toSeconds(nowMs + 2 * minutesCounted * minute))}`,
    ],
  }))
  const items = await table.getMany(
    Array.from({ length: minutesCounted * shards }, (_, at) =>
      scimLeaverCountKey(connectionId, atMinute - Math.floor(at / shards), at % shards),
    ),
  )
  const left = items.reduce((sum, item) => sum + (Number(item?.['people']) || 0), 0)
  return left > manyLeavers && left > manyShare * (await readScimCount(table, connectionId, 'user'))
}

/** Writes the steps of an email, unless one about the same was sent within this time. */
export const sendOnce = async (
  table: Table,
  steps: readonly Step[],
  {
    connectionId,
    subject,
    nowMs,
    withinMs,
  }: {
    readonly connectionId: number
    readonly subject: string
    readonly nowMs: number
    readonly withinMs: number
  },
): Promise<void> => {
  await wasCommitted(
    table.transact([
      {
        put: {
          ...scimNoticeKey(connectionId, subject),
          sentAt: nowMs,
          expires_at: toSeconds(nowMs + withinMs),
        },
        // Expired items are deleted late.
        condition: (x) => `${isAbsent(x)} OR ${x.path('sentAt')} <= ${x.value(nowMs - withinMs)}`,
      },
      ...steps,
    ]),
  )
}
