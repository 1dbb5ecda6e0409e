import { auditChainRetentionMs } from '../../limits/limits.ts'
import { isAbsent } from '../engine/expressions.ts'
import type { Table } from '../engine/table.ts'
import type { Item } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import { auditCheckpointKey } from '../keys/audit-keys.ts'
import { partitions } from '../keys/partitions.ts'
import { checkpointCodec, type StoredCheckpoint } from './chain-records.ts'

/** The newest checkpoint. @throws MalformedItem, or Error if the item has the key of another one */
export const findLatestCheckpoint = async (table: Table): Promise<StoredCheckpoint | undefined> => {
  const [item] = await table.page({ pk: partitions.auditCheckpoints, isDescending: true, limit: 1 })
  const checkpoint = checkpointCodec.decodeOptional(item)
  if (checkpoint && item?.sk !== getCheckpointSortKey(checkpoint.number))
    throw new Error(`The item ${item?.sk} is not checkpoint ${checkpoint.number}.`)
  return checkpoint
}

/** The sort key of a checkpoint. */
export const getCheckpointSortKey = (number: number): string => auditCheckpointKey(number).sk

/** The items of all checkpoints, oldest first. They are not decoded: they may have been changed. */
export const readCheckpointItems = (table: Table): Promise<readonly Item[]> =>
  table.list(partitions.auditCheckpoints, '')

/** Stores a checkpoint of a time in epoch milliseconds. Returns false if there is one with its number already. */
export const storeCheckpoint = (table: Table, checkpoint: StoredCheckpoint, at: number): Promise<boolean> =>
  wasCommitted(
    table.transact([
      {
        put: {
          ...auditCheckpointKey(checkpoint.number),
          ...checkpoint,
          expires_at: Math.ceil((at + auditChainRetentionMs) / 1000),
        },
        condition: isAbsent,
      },
    ]),
  )
