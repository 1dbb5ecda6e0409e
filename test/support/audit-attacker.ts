import { getBlockExpiry, hashBlock } from '../../lib/features/audit/chain/chain-blocks.ts'
import {
  type ChainBlock,
  chainBlockCodec,
  findHeadItem,
  getBlockSortKey,
  getCheckpointSortKey,
  readCheckpointItems,
} from '../../lib/features/audit/chain.records.ts'
import { auditBlockKey, auditChainPartition, auditPartition } from '../../lib/kernel/table/keys/audit-keys.ts'
import { type AuditShard, auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { readAuditItems } from './audit-items.ts'

export type Attributes = Readonly<Record<string, unknown>>

/** What someone can do who may write every item of the table, but not sign. */
export const createAuditAttacker = (table: Table, times: readonly number[]) => {
  const remove = async (items: readonly Item[]): Promise<void> => {
    const steps = items.map(({ pk, sk }) => ({ delete: { pk, sk } }))
    for (let from = 0; from < steps.length; from += 100) await table.transact(steps.slice(from, from + 100))
  }
  /** Writes an item with other attributes, also with another key. */
  const change = (item: Item, attributes: Attributes): Promise<void> => table.put({ ...item, ...attributes })
  const events = () => readAuditItems(table, times)
  const blocks = (shard: AuditShard) => table.list(auditChainPartition(shard), 'block#')
  const head = async (shard: AuditShard): Promise<Item> => need(await findHeadItem(table, shard))
  const checkpoints = () => readCheckpointItems(table)
  const eventsOf = async (shard: AuditShard) => {
    const partitions = times.map((time) => auditPartition(new Date(time).toISOString().slice(0, 7), shard))
    return (await events()).filter(({ pk }) => partitions.includes(pk))
  }
  return {
    remove,
    change,
    events,
    eventsOf,
    blocks,
    head,
    checkpoints,
    /** The shards with at least this many blocks. */
    longChains: async (count = 2): Promise<readonly AuditShard[]> => {
      const lengths = await Promise.all(auditShards.map(async (shard) => (await blocks(shard)).length))
      return auditShards.filter((_, at) => (lengths[at] ?? 0) >= count)
    },
    changeHeads: async (attributes: Attributes): Promise<void> => {
      for (const shard of auditShards) await change(await head(shard), attributes)
    },
    /** Removes all events and blocks of these shards. The heads stay. */
    empty: async (shards: readonly AuditShard[] = auditShards): Promise<void> => {
      for (const shard of shards) await remove([...(await eventsOf(shard)), ...(await blocks(shard))])
    },
    /** Replaces all blocks and the head by a chain that is consistent in itself. */
    rewriteChain: async (
      shard: AuditShard,
      changeBlock: (block: ChainBlock) => ChainBlock,
    ): Promise<void> => {
      let last = { hash: '', chainedAt: 0, expiresAt: 0, sequence: 0 }
      for (const item of await blocks(shard)) {
        const { hash: _, ...block } = changeBlock(chainBlockCodec.decode(item))
        const next = {
          ...block,
          previousHash: last.hash,
          previousAt: last.chainedAt,
          expiresAt: getBlockExpiry(block.entries, block.chainedAt, last.expiresAt),
          previousExpiresAt: last.expiresAt,
          firstSequence: last.sequence + 1,
        }
        const hash = hashBlock(next)
        const { chainedAt, expiresAt } = next
        last = { hash, chainedAt, expiresAt, sequence: last.sequence + next.entries.length }
        await table.put({
          ...next,
          ...auditBlockKey(shard, next.number),
          hash,
          expires_at: expiresAt,
        })
      }
      await change(await head(shard), last)
    },
    /** Adds a block that nothing signed, and moves the head to it. */
    forgeBlock: async (shard: AuditShard, changes: Partial<ChainBlock>): Promise<void> => {
      const { number, hash: previousHash, chainedAt, expiresAt, sequence, ...item } = await head(shard)
      const content = {
        shard,
        number: Number(number) + 1,
        chainedAt: Number(chainedAt) + 1,
        previousHash: String(previousHash),
        previousAt: Number(chainedAt),
        previousExpiresAt: Number(expiresAt),
        firstSequence: Number(sequence) + 1,
        entries: [`${new Date(Number(chainedAt)).toISOString()}#AAAAAAAAAAAA x ${Number(expiresAt)}`],
        ...changes,
      }
      const honest = getBlockExpiry(content.entries, content.chainedAt, content.previousExpiresAt)
      const block = { expiresAt: honest, ...content }
      const hash = hashBlock(block)
      const { pk } = item
      await table.put({ ...block, hash, pk, sk: getBlockSortKey(block.number), expires_at: block.expiresAt })
      const end = { number: block.number, hash, chainedAt: block.chainedAt, expiresAt: block.expiresAt }
      await table.put({ ...item, ...end, sequence: block.firstSequence + block.entries.length - 1 })
    },
    /** Writes a checkpoint with another statement. The signature does not fit it. */
    forgeCheckpoint: async (item: Item, statement: Attributes): Promise<Item> => {
      const changed = { ...JSON.parse(String(item['statement'])), ...statement }
      const { number } = changed
      const forged = { ...item, number, sk: getCheckpointSortKey(number), statement: JSON.stringify(changed) }
      await table.put(forged)
      return forged
    },
  }
}

export type AuditAttacker = ReturnType<typeof createAuditAttacker>

export const need = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('an item is missing')
  return value
}
