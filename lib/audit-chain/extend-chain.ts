import {
  auditBlocksPerRun,
  auditChainLagMs,
  auditEventsPerBlock,
  auditIdleMs,
  auditLateMs,
  auditRetentionMs,
  auditSweepMs,
} from '../limits/limits.ts'
import type { Services } from '../services.ts'
import { findChainHead, replaceChainHead } from '../store/audit-chain/chain.ts'
import type { ChainHead } from '../store/audit-chain/chain-records.ts'
import { readShardEvents, timeOf } from '../store/audit-chain/shard-events.ts'
import type { AuditShard } from '../store/engine/audit-shards.ts'
import { addLateEvents } from './add-late-events.ts'
import { appendBlock, emptyHead } from './append-block.ts'
import { ChainBroken } from './chain-broken.ts'
import { isPlausibleHead } from './check-head.ts'

/**
 * Adds new events of a shard to its chain, oldest first, and searches for late ones if that is due. Several runs may work
 * at the same time: each event is added once.
 *
 * @throws ChainBroken
 */
export const extendChain = async (services: Services, shard: AuditShard): Promise<void> => {
  const head = await addNewEvents(services, shard)
  if (head && timeOf(head.cursor) - timeOf(head.marked) >= auditSweepMs) await addLateEvents(services, head)
}

/** Returns the new head, or undefined if another run changed the chain. */
const addNewEvents = async (services: Services, shard: AuditShard): Promise<ChainHead | undefined> => {
  const { table, now } = services
  const at = now()
  const to = toTime(at - auditChainLagMs)
  let known = await findChainHead(table, shard)
  if (known && !isPlausibleHead(known, at))
    throw new ChainBroken(`the service did not write the head of shard ${shard}`)
  // Older events have expired.
  let head = known ?? emptyHead(shard, toTime(at - auditRetentionMs), toTime(at - auditLateMs))
  for (let blocks = 0; blocks < auditBlocksPerRun; blocks++) {
    const events = await readShardEvents(table, shard, { after: head.cursor, to }, auditEventsPerBlock)
    const last = events.at(-1)
    if (!last) {
      if (head.cursor >= toTime(at - auditIdleMs)) return head
      const next = { ...head, cursor: to }
      return (await replaceChainHead(table, known, next)) ? next : undefined
    }
    const isComplete = events.length < auditEventsPerBlock
    known = await appendBlock(services, known, head, events, { cursor: isComplete ? to : last.sk })
    if (!known || isComplete) return known
    head = known
  }
  return head
}

const toTime = (ms: number): string => new Date(ms).toISOString()
