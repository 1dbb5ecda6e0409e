import { auditChainRetentionMs } from '../../limits/limits.ts'
import { createCodec } from '../engine/codec.ts'
import { type Condition, isAbsent } from '../engine/expressions.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table, TableReads } from '../engine/table.ts'
import { type Item, type Step, wasCommitted } from '../engine/transaction.ts'
import {
  auditBlockKey,
  auditChainHeadKey,
  auditChainPartition,
  auditCheckpointKey,
} from '../keys/audit-keys.ts'
import type { AuditShard } from '../keys/audit-shards.ts'
import { partitions } from '../keys/partitions.ts'

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
 * Replaces the head of a chain, and adds a block to it if there is one. Returns false if another run was faster: of
 * several runs with the same head, one succeeds.
 */
export const replaceChainHead = (
  table: Table,
  known: ChainHead | undefined,
  head: ChainHead,
  block?: ChainBlock,
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
        expires_at: Math.ceil((block.chainedAt + auditChainRetentionMs) / 1000),
      },
      condition: isAbsent,
    })
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

/** Stores a checkpoint of a time in epoch milliseconds. Returns false if there is one with its number already. */
export const storeCheckpoint = (table: Table, checkpoint: StoredCheckpoint, at: number): Promise<boolean> =>
  wasCommitted(
    table.transact([
      {
        put: {
          ...auditCheckpointKey(checkpoint.number),
          ...checkpointCodec.encode(checkpoint),
          expires_at: Math.ceil((at + auditChainRetentionMs) / 1000),
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
  /** When the previous block was added, so that a verification knows whether it has expired. 0 for the first one. */
  readonly previousAt: number
  /** The sequence number of the first event, from 1, without gaps between blocks. */
  readonly firstSequence: number
  /** For each event its sort key, a space, and its hash. */
  readonly entries: readonly string[]
  readonly hash: string
}

/** The end of a chain, and how far the events of its shard were read. */
export interface ChainHead {
  readonly shard: AuditShard
  /** The number, hash and time of the last block. 0 and empty before the first one. */
  readonly number: number
  readonly hash: string
  readonly chainedAt: number
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
}

export const chainBlockCodec = createCodec<ChainBlock>('block of the audit chain', {
  number: 'number',
  chainedAt: 'number',
  previousHash: 'string',
  previousAt: 'number',
  firstSequence: 'number',
  entries: 'list',
  hash: 'string',
})

export const chainHeadCodec = createCodec<ChainHead>('head of the audit chain', {
  number: 'number',
  hash: 'string',
  chainedAt: 'number',
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
