import { getAuditTime, noteAuditProgress } from '../../../accounts/events/clock.records.ts'
import {
  auditBlocksPerRun,
  auditChainLagMs,
  auditEventsPerBlock,
  auditIdleMs,
  auditLateMs,
  auditSweepMs,
} from '../../../kernel/limits/limits.ts'
import type { AuditShard } from '../../../kernel/table/keys/audit-shards.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Item } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import { copyOrganizationEvents } from '../../organizations/events.records.ts'
import { buildActivitySteps } from '../activity.records.ts'
import {
  type ChainHead,
  chainBlockCodec,
  findChainHead,
  readBlockItems,
  replaceChainHead,
} from '../chain.records.ts'
import { countEvents } from '../daily-counts.records.ts'
import { readShardEvents, readShardPages, timeOf } from '../shard-events.records.ts'
import { describeEvent, getBlockExpiry, hashBlock, isPlausibleHead } from './chain-blocks.ts'
import { ChainBroken } from './findings.ts'

/**
 * Adds new events of a shard to its chain, oldest first, and searches for late ones if that is due. Several runs may work
 * at the same time: each event is added once.
 *
 * @throws ChainBroken
 */
export const extendChain = async (services: Services, shard: AuditShard): Promise<void> => {
  const head = await addNewEvents(services, shard)
  if (head) noteAuditProgress(services.config.tableName, timeOf(head.cursor))
  if (head && timeOf(head.cursor) - timeOf(head.marked) >= auditSweepMs) await addLateEvents(services, head)
}

/** Returns the new head, or undefined if another run changed the chain. */
const addNewEvents = async (services: Services, shard: AuditShard): Promise<ChainHead | undefined> => {
  const { table, config, now } = services
  // The clock can be set back between two runs of this process.
  const at = getAuditTime(config.tableName, now())
  const to = toTime(at - auditChainLagMs)
  let known = await findChainHead(table, shard)
  if (known && !isPlausibleHead(known, at))
    throw new ChainBroken(`the service did not write the head of shard ${shard}`)
  // Older events have expired.
  let head = known ?? emptyHead(shard, toTime(at - config.auditRetentionMs), toTime(at - auditLateMs))
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

/**
 * Adds events that were committed late, after the chain had passed their time. A machine that was suspended in the middle
 * of a request can cause that. Each event is searched for between one and two searches after its time.
 */
const addLateEvents = async (services: Services, head: ChainHead): Promise<void> => {
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
  for await (const events of readShardPages(table, shard, { after: swept, to: marked }, auditEventsPerBlock))
    late.push(...events.filter(({ sk }) => !chained.has(sk)))
  return late
}

/** The head of a chain without blocks. Events from this sort key on will be added. */
const emptyHead = (shard: AuditShard, cursor: string, swept: string): ChainHead => ({
  shard,
  number: 0,
  hash: '',
  chainedAt: 0,
  expiresAt: 0,
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
const appendBlock = async (
  { table, now }: Services,
  known: ChainHead | undefined,
  head: ChainHead,
  events: readonly Item[],
  progress: Partial<ChainHead>,
): Promise<ChainHead | undefined> => {
  // Clocks of several machines differ. Later blocks must not be older.
  const chainedAt = Math.max(now(), head.chainedAt)
  const entries = events.map(describeEvent)
  const content = {
    shard: head.shard,
    number: head.number + 1,
    chainedAt,
    previousHash: head.hash,
    previousAt: head.chainedAt,
    // Blocks expire in order.
    expiresAt: getBlockExpiry(entries, chainedAt, head.expiresAt),
    previousExpiresAt: head.expiresAt,
    firstSequence: head.sequence + 1,
    entries,
  }
  const block = { ...content, hash: hashBlock(content) }
  const next: ChainHead = {
    ...head,
    number: block.number,
    hash: block.hash,
    chainedAt: block.chainedAt,
    expiresAt: block.expiresAt,
    sequence: head.sequence + events.length,
    counts: countEvents(head.counts, events, now()),
    ...progress,
  }
  // Before the head, so that an event that was not copied is read again.
  await copyOrganizationEvents(table, events)
  const counted = buildActivitySteps(head.shard, events)
  if (await replaceChainHead(table, known, next, block, counted)) return next
  const current = await findChainHead(table, head.shard)
  if ((current?.number ?? 0) === head.number && current?.marked === known?.marked)
    throw new ChainBroken(`shard ${head.shard} has a block after its head`)
  return undefined
}
