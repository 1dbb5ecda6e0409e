import type { AuditShard } from '../core/audit-shards.ts'
import {
  auditBlocksPerRun,
  auditChainLagMs,
  auditEventsPerBlock,
  auditIdleMs,
  auditLateMs,
  auditRetentionMs,
} from '../core/limits.ts'
import type { Services } from '../services.ts'
import { findChainHead, replaceChainHead } from '../store/audit-chain/chain.ts'
import { readShardEvents } from '../store/audit-chain/shard-events.ts'
import { appendBlock, emptyHead } from './append-block.ts'

/**
 * Adds new events of a shard to its chain, oldest first. Returns their number. Several runs may work at the same time: each
 * event is added once.
 */
export const extendChain = async (services: Services, shard: AuditShard): Promise<number> => {
  const { table, now } = services
  const at = now()
  const to = toTime(at - auditChainLagMs)
  let known = await findChainHead(table, shard)
  // Older events have expired.
  let head = known ?? emptyHead(shard, toTime(at - auditRetentionMs), toTime(at - auditLateMs))
  let added = 0
  for (let blocks = 0; blocks < auditBlocksPerRun; blocks++) {
    const events = await readShardEvents(table, shard, { after: head.cursor, to }, auditEventsPerBlock)
    const last = events.at(-1)
    if (!last) {
      if (head.cursor < toTime(at - auditIdleMs))
        await replaceChainHead(table, known, { ...head, cursor: to })
      return added
    }
    const isComplete = events.length < auditEventsPerBlock
    known = await appendBlock(services, known, head, events, { cursor: isComplete ? to : last.sk })
    if (!known) return added
    head = known
    added += events.length
    if (isComplete) return added
  }
  return added
}

const toTime = (ms: number): string => new Date(ms).toISOString()
