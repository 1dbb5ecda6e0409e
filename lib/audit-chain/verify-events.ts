import { auditRetentionMs } from '../limits/limits.ts'
import { readShardEvents, timeOf } from '../store/audit-chain/shard-events.ts'
import { clockSkewMs } from './check-head.ts'
import { mayHaveExpired } from './expiry.ts'
import { hashEvent } from './hashes.ts'
import type { ChainCheck, VerifiedChain } from './verify-blocks.ts'

export interface EventCounts {
  /** Signed events that are stored unchanged. */
  readonly verified: number
  /** Signed events whose retention has ended. */
  readonly ended: number
  /** Stored events that no checkpoint covers yet, and the sort key of the first one. */
  readonly uncovered: number
  readonly uncoveredFrom: string | undefined
}

const pageSize = 1000

/**
 * Compares the events of a shard with their chain. The maps of the chain are emptied, so that memory is not needed twice.
 */
export const verifyEvents = async (
  { table, findings, shard, nowMs }: ChainCheck,
  { signed, events, newEvents, ended: endedBlocks }: VerifiedChain,
  onProgress: (events: number) => void,
): Promise<EventCounts> => {
  const swept = signed?.swept ?? ''
  const to = new Date(nowMs + clockSkewMs).toISOString()
  // An event expires at a full second.
  let after = new Date(nowMs - auditRetentionMs - 1000).toISOString()
  let [verified, ended, uncovered] = [0, endedBlocks, 0]
  let uncoveredFrom: string | undefined
  for (;;) {
    const items = await readShardEvents(table, shard, { after, to }, pageSize)
    for (const item of items) {
      const isSigned = events.has(item.sk)
      const hash = events.get(item.sk) ?? newEvents.get(item.sk)
      events.delete(item.sk)
      newEvents.delete(item.sk)
      if (hash !== undefined && hash !== hashEvent(item))
        findings.add('event_changed', `shard ${shard}, ${item.sk}`)
      else if (isSigned) verified += 1
      else if (hash === undefined && item.sk <= swept)
        findings.add('event_added', `shard ${shard}, ${item.sk}`)
      else {
        uncovered += 1
        uncoveredFrom ??= item.sk
      }
    }
    onProgress(items.length)
    const last = items.at(-1)
    if (!last || items.length < pageSize) break
    after = last.sk
  }
  for (const chained of [events, newEvents])
    for (const sortKey of chained.keys())
      if (!mayHaveExpired(timeOf(sortKey), auditRetentionMs, nowMs))
        findings.add('event_missing', `shard ${shard}, ${sortKey}`)
      else if (chained === events) ended += 1
  return { verified, ended, uncovered, uncoveredFrom }
}
