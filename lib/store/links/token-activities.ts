import { randomInt } from 'node:crypto'
import { activitiesShown, activityRetentionMs } from '../../core/limits.ts'
import { accessTokenActivityKey } from '../engine/keys.ts'
import { readEntries } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { type ActivityRecord, activityCodec } from '../records/activity-record.ts'
import { tokenPartition } from './token-index.ts'

/** The record of a use, as a step of the transaction that it happens in. */
export const buildActivityStep = (tokenId: number, at: number, address: string): Step => {
  const activity: ActivityRecord = { id: randomInt(1, 2 ** 31), tokenId, at, address }
  return {
    put: {
      ...accessTokenActivityKey(tokenId, `${new Date(at).toISOString()}#${activity.id}`),
      ...activity,
      expires_at: Math.ceil((at + activityRetentionMs) / 1000),
    },
  }
}

/** The newest uses of a link, newest first. */
export const findActivities = async (
  table: Table,
  tokenId: number,
  nowMs: number,
): Promise<readonly ActivityRecord[]> => {
  const oldest = new Date(nowMs - activityRetentionMs).toISOString()
  const items = await table.page({
    pk: tokenPartition(tokenId),
    from: accessTokenActivityKey(tokenId, oldest).sk,
    to: accessTokenActivityKey(tokenId, '~').sk,
    isDescending: true,
    limit: activitiesShown,
  })
  return items.map(activityCodec.decode)
}

const batchSize = 100
const mostBatches = 20

/** Clears away what a token that is deleted has left; should there be very much of it, the table does the rest in time. */
export const clearActivities = async (table: Table, tokenId: number): Promise<void> => {
  const rest = { pk: tokenPartition(tokenId), isListing: false }
  for (let batch = 0; batch < mostBatches; batch++) {
    const entries = await readEntries(table, rest, { limit: batchSize, isDescending: false })
    if (entries.length > 0) await table.transact(entries.map(({ key }) => ({ delete: key })))
    if (entries.length < batchSize) return
  }
}
