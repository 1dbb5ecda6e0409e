import { randomInt } from 'node:crypto'
import { activitiesShown, activityRetentionMs } from '../../limits/limits.ts'
import { readEntries } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { accessTokenActivityKey } from '../keys/keys.ts'
import { type ActivityRecord, activityCodec } from './activity-record.ts'
import { tokenPartition } from './token-index.ts'

/** Creates the record of a use of a link. */
export const createActivity = (tokenId: number, at: number, address: string): ActivityRecord => ({
  id: randomInt(1, 2 ** 31),
  tokenId,
  at,
  address,
})

/** The order of the uses of a link, oldest first. */
export const getActivitySortKey = ({ id, at }: Pick<ActivityRecord, 'id' | 'at'>): string =>
  `${new Date(at).toISOString()}#${id}`

/** Builds the step that stores a use of a link, in the transaction of the use. */
export const buildActivityStep = (activity: ActivityRecord): Step => ({
  put: {
    ...accessTokenActivityKey(activity.tokenId, getActivitySortKey(activity)),
    ...activity,
    expires_at: Math.ceil((activity.at + activityRetentionMs) / 1000),
  },
})

/** The latest uses of a link, newest first. */
export const findActivities = async (
  table: Table,
  tokenId: number,
  nowMs: number,
  limit = activitiesShown,
): Promise<readonly ActivityRecord[]> => {
  const oldest = new Date(nowMs - activityRetentionMs).toISOString()
  const items = await table.page({
    pk: tokenPartition(tokenId),
    from: accessTokenActivityKey(tokenId, oldest).sk,
    to: accessTokenActivityKey(tokenId, '~').sk,
    isDescending: true,
    limit,
  })
  return items.map(activityCodec.decode)
}

const batchSize = 100
const maxBatches = 20

/** Deletes the remaining items of a deleted token. If there are very many, the table deletes the rest when it expires. */
export const cleanUpDeletedToken = async (table: Table, tokenId: number): Promise<void> => {
  const listing = { pk: tokenPartition(tokenId), isListing: false }
  for (let batch = 0; batch < maxBatches; batch++) {
    const entries = await readEntries(table, listing, { limit: batchSize, isDescending: false })
    if (entries.length > 0) await table.transact(entries.map(({ key }) => ({ delete: key })))
    if (entries.length < batchSize) return
  }
}
