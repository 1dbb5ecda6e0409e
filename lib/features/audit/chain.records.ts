import { type Condition, isAbsent } from '../../kernel/table/expressions.ts'
import {
  auditArchiveKey,
  auditBlockKey,
  auditChainHeadKey,
  auditChainPartition,
  auditCheckpointKey,
} from '../../kernel/table/keys/audit-keys.ts'
import type { AuditShard } from '../../kernel/table/keys/audit-shards.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table, TableReads } from '../../kernel/table/table.ts'
import { type Item, type Step, wasCommitted } from '../../kernel/table/transaction.ts'

export const findChainHead = (table: Table, shard: AuditShard): Promise<ChainHead | undefined> =>
  findRecord(table, chainHeadCodec, auditChainHeadKey(shard))

/** The item of a head. It is not decoded: it may have been changed. */
export const findHeadItem = (table: TableReads, shard: AuditShard): Promise<Item | undefined> =>
  table.get(auditChainHeadKey(shard))

/** The sort key of a block. */
export const getBlockSortKey = (number: number): string => auditBlockKey('0', number).sk

/** The items of all blocks of a chain from a number on, in order. They are not decoded: they may have been changed. */
export async function* readBlockItems(table: TableReads, shard: AuditShard, fromNumber: number) {
  const pageSize = 20
  // After all blocks and before the head.
  const to = `${auditBlockKey(shard, 0).sk.split('#')[0]}$`
  for (let from = auditBlockKey(shard, fromNumber).sk; ; ) {
    const items = await table.page({ pk: auditChainPartition(shard), from, to, limit: pageSize })
    yield* items
    const last = items.at(-1)
    if (!last || items.length < pageSize) return
    from = `${last.sk}#`
  }
}

/**
 * Replaces the head of a chain, and adds a block to it if there is one, with what its events count. Returns false if another run was faster: of
 * several runs with the same head, one succeeds.
 */
export const replaceChainHead = (
  table: Table,
  known: ChainHead | undefined,
  head: ChainHead,
  block?: ChainBlock,
  extraSteps: readonly Step[] = [],
): Promise<boolean> => {
  const isUnchanged: Condition = (x) =>
    known
      ? `${x.path('number')} = ${x.value(known.number)} AND ${x.path('marked')} = ${x.value(known.marked)}`
      : isAbsent(x)
  const steps: Step[] = [
    { put: { ...auditChainHeadKey(head.shard), ...chainHeadCodec.encode(head) }, condition: isUnchanged },
  ]
  if (block)
    steps.push({
      put: {
        ...auditBlockKey(block.shard, block.number),
        ...chainBlockCodec.encode(block),
        expires_at: block.expiresAt,
      },
      condition: isAbsent,
    })
  steps.push(...extraSteps)
  return wasCommitted(table.transact(steps))
}

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
export const readCheckpointItems = (table: TableReads): Promise<readonly Item[]> =>
  table.list(partitions.auditCheckpoints, '')

/** The item of a checkpoint, if there is one with this number. It is not decoded. */
export const findCheckpointItem = (table: TableReads, number: number): Promise<Item | undefined> =>
  table.get(auditCheckpointKey(number))

/** What was copied to the archive. */
export interface ArchiveProgress {
  /** The number of the last checkpoint. */
  readonly checkpoint: number
  /** The number of the last block of each shard, which can be one that a later checkpoint signed. */
  readonly blocks: readonly number[]
}

const progressCodec = createCodec<ArchiveProgress>('progress of the audit archive', {
  checkpoint: 'number',
  blocks: 'list',
})

export const findArchiveProgress = (table: Table): Promise<ArchiveProgress | undefined> =>
  findRecord(table, progressCodec, auditArchiveKey)

/** Stores what was copied. A slower run may set it back, which only lets objects be written again. */
export const storeArchiveProgress = (table: Table, progress: ArchiveProgress): Promise<void> =>
  table.put({ ...auditArchiveKey, ...progressCodec.encode(progress) })

/** Stores a checkpoint that expires at a time in epoch seconds. Returns false if there is one with its number already. */
export const storeCheckpoint = (
  table: Table,
  checkpoint: StoredCheckpoint,
  expiresAt: number,
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      {
        put: {
          ...auditCheckpointKey(checkpoint.number),
          ...checkpointCodec.encode(checkpoint),
          expires_at: expiresAt,
        },
        condition: isAbsent,
      },
    ]),
  )

/** Some events of a shard with their hashes. Each block contains the hash of the block before it. */
export interface ChainBlock {
  readonly shard: AuditShard
  /** From 1, without gaps. */
  readonly number: number
  /** Epoch milliseconds. */
  readonly chainedAt: number
  /** The hash of the previous block. Empty for the first one. */
  readonly previousHash: string
  /** When the previous block was added. 0 for the first one. */
  readonly previousAt: number
  /** When the block expires, in epoch seconds: after its events, and not before an earlier block. */
  readonly expiresAt: number
  /** When the previous block expires, so that a verification knows whether it may be missing. 0 for the first one. */
  readonly previousExpiresAt: number
  /** The sequence number of the first event, from 1, without gaps between blocks. */
  readonly firstSequence: number
  /** For each event its sort key, its hash, and when it expires in epoch seconds, separated by spaces. */
  readonly entries: readonly string[]
  readonly hash: string
}

/** The end of a chain, and how far the events of its shard were read. */
export interface ChainHead {
  readonly shard: AuditShard
  /** The number, hash, time and expiry of the last block. 0 and empty before the first one. */
  readonly number: number
  readonly hash: string
  readonly chainedAt: number
  readonly expiresAt: number
  /** The sequence number of the last event. */
  readonly sequence: number
  /** Events up to this sort key are in the chain, except late ones. */
  readonly cursor: string
  /** Events up to this sort key are in the chain, late ones as well. */
  readonly swept: string
  /** All blocks with events after `swept` have greater numbers. */
  readonly sweptBlock: number
  /** Where the next search for late events ends, and the last block at the time when `cursor` was there. */
  readonly marked: string
  readonly markedBlock: number
  /** How often things happened each day, as far as the chain has come: see `daily-counts.records.ts`. */
  readonly counts?: readonly string[]
}

export const chainBlockCodec = createCodec<ChainBlock>('block of the audit chain', {
  number: 'number',
  chainedAt: 'number',
  previousHash: 'string',
  previousAt: 'number',
  expiresAt: 'number',
  previousExpiresAt: 'number',
  firstSequence: 'number',
  entries: 'list',
  hash: 'string',
})

export const chainHeadCodec = createCodec<ChainHead>('head of the audit chain', {
  number: 'number',
  hash: 'string',
  chainedAt: 'number',
  expiresAt: 'number',
  sequence: 'number',
  cursor: 'string',
  swept: 'string',
  sweptBlock: 'number',
  marked: 'string',
  markedBlock: 'number',
})

/** A signed statement about the heads of all chains. */
export interface StoredCheckpoint {
  readonly number: number
  /** The signed text: see `CheckpointStatement`. */
  readonly statement: string
  /** In base64url. */
  readonly signature: string
}

export const checkpointCodec = createCodec<StoredCheckpoint>('audit checkpoint', {
  number: 'number',
  statement: 'string',
  signature: 'string',
})
