import { auditRetentionMs } from '../core/limits.ts'
import { readShardEvents, timeOf } from '../store/audit-chain/shard-events.ts'
import { mayHaveExpired } from './expiry.ts'
import { hashEvent } from './hashes.ts'
import type { ChainCheck } from './verify-blocks.ts'

export interface EventCounts {
  /** Events with the hash that their chain contains. */
  readonly verified: number
  /** Events that are too new to be part of a chain. */
  readonly waiting: number
}

const pageSize = 1000
/** Clocks of other machines can be ahead. */
const clockSkewMs = 60_000

/**
 * Compares the events of a shard with their chain. `chained` contains their sort keys and hashes. The map is emptied, so
 * that memory is not needed twice.
 */
export const verifyEvents = async (
  { table, findings, shard, signed, nowMs }: ChainCheck,
  chained: Map<string, string>,
  onProgress: (events: number) => void,
): Promise<EventCounts> => {
  const swept = signed.at(-1)?.swept ?? ''
  const to = new Date(nowMs + clockSkewMs).toISOString()
  let after = new Date(nowMs - auditRetentionMs).toISOString()
  let [verified, waiting] = [0, 0]
  for (;;) {
    const items = await readShardEvents(table, shard, { after, to }, pageSize)
    for (const item of items) {
      const hash = chained.get(item.sk)
      chained.delete(item.sk)
      if (hash !== undefined && hash !== hashEvent(item))
        findings.add('event_changed', `shard ${shard}, ${item.sk}`)
      else if (hash !== undefined) verified += 1
      else if (item.sk > swept) waiting += 1
      else findings.add('event_added', `shard ${shard}, ${item.sk}`)
    }
    onProgress(items.length)
    const last = items.at(-1)
    if (!last || items.length < pageSize) break
    after = last.sk
  }
  for (const sortKey of chained.keys())
    if (!mayHaveExpired(timeOf(sortKey), auditRetentionMs, nowMs))
      findings.add('event_missing', `shard ${shard}, ${sortKey}`)
  return { verified, waiting }
}
