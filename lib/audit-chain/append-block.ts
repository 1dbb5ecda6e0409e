import type { Services } from '../services.ts'
import { findChainHead, replaceChainHead } from '../store/audit-chain/chain.ts'
import type { ChainHead } from '../store/audit-chain/chain-records.ts'
import type { AuditShard } from '../store/engine/audit-shards.ts'
import type { Item } from '../store/engine/transaction.ts'
import { ChainBroken } from './chain-broken.ts'
import { hashBlock, hashEvent } from './hashes.ts'

/** The head of a chain without blocks. Events from this sort key on will be added. */
export const emptyHead = (shard: AuditShard, cursor: string, swept: string): ChainHead => ({
  shard,
  number: 0,
  hash: '',
  chainedAt: 0,
  sequence: 0,
  cursor,
  swept,
  sweptBlock: 0,
  marked: swept,
  markedBlock: 0,
})

/**
 * Adds a block with these events. Returns the new head, or undefined if another run changed the chain. `progress` is what
 * else changes in the head.
 *
 * @throws ChainBroken if the head was rolled back
 */
export const appendBlock = async (
  { table, now }: Services,
  known: ChainHead | undefined,
  head: ChainHead,
  events: readonly Item[],
  progress: Partial<ChainHead>,
): Promise<ChainHead | undefined> => {
  const content = {
    shard: head.shard,
    number: head.number + 1,
    // Clocks of several machines differ. Later blocks must not be older, because they expire in order.
    chainedAt: Math.max(now(), head.chainedAt),
    previousHash: head.hash,
    previousAt: head.chainedAt,
    firstSequence: head.sequence + 1,
    entries: events.map((item) => `${item.sk} ${hashEvent(item)}`),
  }
  const block = { ...content, hash: hashBlock(content) }
  const next: ChainHead = {
    ...head,
    number: block.number,
    hash: block.hash,
    chainedAt: block.chainedAt,
    sequence: head.sequence + events.length,
    ...progress,
  }
  if (await replaceChainHead(table, known, next, block)) return next
  const current = await findChainHead(table, head.shard)
  if ((current?.number ?? 0) === head.number && current?.marked === known?.marked)
    throw new ChainBroken(`shard ${head.shard} has a block after its head`)
  return undefined
}
