import { auditEventsPerBlock } from '../limits/limits.ts'
import type { Services } from '../services.ts'
import { readBlockItems, replaceChainHead } from '../store/audit-chain/chain.ts'
import { type ChainHead, chainBlockCodec } from '../store/audit-chain/chain-records.ts'
import { readShardEvents } from '../store/audit-chain/shard-events.ts'
import type { Table } from '../store/engine/table.ts'
import type { Item } from '../store/engine/transaction.ts'
import { appendBlock } from './append-block.ts'

/**
 * Adds events that were committed late, after the chain had passed their time. A machine that was suspended in the middle
 * of a request can cause that. Each event is searched for between one and two searches after its time.
 */
export const addLateEvents = async (services: Services, head: ChainHead): Promise<void> => {
  const late = await findLateEvents(services.table, head)
  const progress = {
    swept: head.marked,
    sweptBlock: head.markedBlock,
    marked: head.cursor,
    markedBlock: head.number,
  }
  let current = head
  for (let from = 0; from < late.length; from += auditEventsPerBlock) {
    const events = late.slice(from, from + auditEventsPerBlock)
    const next = await appendBlock(services, current, current, events, {})
    if (!next) return
    current = next
  }
  await replaceChainHead(services.table, current, { ...current, ...progress })
}

const findLateEvents = async (
  table: Table,
  { shard, swept, sweptBlock, marked }: ChainHead,
): Promise<readonly Item[]> => {
  const chained = new Set<string>()
  for await (const item of readBlockItems(table, shard, sweptBlock + 1))
    for (const entry of chainBlockCodec.decode(item).entries) chained.add(entry.split(' ')[0] ?? '')
  const late: Item[] = []
  for (let after = swept; ; ) {
    const events = await readShardEvents(table, shard, { after, to: marked }, auditEventsPerBlock)
    late.push(...events.filter(({ sk }) => !chained.has(sk)))
    const last = events.at(-1)
    if (!last || events.length < auditEventsPerBlock) return late
    after = last.sk
  }
}
