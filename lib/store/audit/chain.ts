import { auditChainRetentionMs } from '../../limits/limits.ts'
import type { Condition } from '../engine/expressions.ts'
import { isAbsent } from '../engine/expressions.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Item, Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import { auditBlockKey, auditChainHeadKey, auditChainPartition } from '../keys/audit-keys.ts'
import type { AuditShard } from '../keys/audit-shards.ts'
import { type ChainBlock, type ChainHead, chainHeadCodec } from './chain-records.ts'

export const findChainHead = (table: Table, shard: AuditShard): Promise<ChainHead | undefined> =>
  findRecord(table, chainHeadCodec, auditChainHeadKey(shard))

/** The item of a head. It is not decoded: it may have been changed. */
export const findHeadItem = (table: Table, shard: AuditShard): Promise<Item | undefined> =>
  table.get(auditChainHeadKey(shard))

/** The sort key of a block. */
export const getBlockSortKey = (number: number): string => auditBlockKey('0', number).sk

/** The items of all blocks of a chain from a number on, in order. They are not decoded: they may have been changed. */
export async function* readBlockItems(table: Table, shard: AuditShard, fromNumber: number) {
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
  const steps: Step[] = [{ put: { ...auditChainHeadKey(head.shard), ...head }, condition: isUnchanged }]
  if (block)
    steps.push({
      put: {
        ...auditBlockKey(block.shard, block.number),
        ...block,
        expires_at: Math.ceil((block.chainedAt + auditChainRetentionMs) / 1000),
      },
      condition: isAbsent,
    })
  return wasCommitted(table.transact(steps))
}
