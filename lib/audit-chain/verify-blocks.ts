import type { AuditShard } from '../core/audit-shards.ts'
import { auditChainRetentionMs } from '../core/limits.ts'
import { findChainHead, getBlockSortKey, readBlockItems } from '../store/audit-chain/chain.ts'
import { type ChainBlock, type ChainHead, chainBlockCodec } from '../store/audit-chain/chain-records.ts'
import { MalformedItem } from '../store/engine/codec.ts'
import type { Table } from '../store/engine/table.ts'
import type { Item } from '../store/engine/transaction.ts'
import { mayHaveExpired } from './expiry.ts'
import type { Findings } from './findings.ts'
import { hashBlock } from './hashes.ts'
import type { SignedHead } from './statement.ts'

export interface ChainCheck {
  readonly table: Table
  readonly findings: Findings
  readonly shard: AuditShard
  /** What the genuine checkpoints say about this chain, oldest first. */
  readonly signed: readonly SignedHead[]
  readonly nowMs: number
}

/** Checks the blocks of a chain, and returns the sort keys of the chained events with their hashes. */
export const verifyBlocks = async (check: ChainCheck): Promise<Map<string, string>> => {
  const { table, findings, shard, signed } = check
  // Read before the blocks: the chain may grow during the check.
  const firstHead = await readHead(table, shard)
  const hashes = new Map(signed.map(({ number, hash }) => [number, hash]))
  if (firstHead && firstHead.number > 0)
    hashes.set(firstHead.number, hashes.get(firstHead.number) ?? firstHead.hash)
  const events = new Map<string, string>()
  let last: LastBlock = { number: 0, block: undefined, isKnown: true }
  for await (const item of readBlockItems(table, shard, 0)) {
    const name = `shard ${shard}, ${item.sk}`
    const block = decodeBlock(item, shard)
    const number = block?.number ?? Number(item.sk.split('#')[1])
    const isSigned = hashes.get(number) === undefined || hashes.get(number) === block?.hash
    if (!block || !isSigned || (number === last.number + 1 && !isSuccessor(block, last)))
      findings.add('block_changed', name)
    if (number > last.number + 1 && !isAfterExpired(check, block))
      findings.add('block_missing', describeBlocks(shard, last.number + 1, number - 1))
    if (block) addEvents(events, block, findings)
    last = { number, block, isKnown: block !== undefined }
  }
  await verifyEnd(check, firstHead, last)
  return events
}

interface LastBlock {
  readonly number: number
  readonly block: ChainBlock | undefined
  /** False for a block that cannot be read. Then nothing is known about its successor. */
  readonly isKnown: boolean
}

const describeBlocks = (shard: AuditShard, first: number, last: number): string =>
  first >= last ? `shard ${shard}, block ${last}` : `shard ${shard}, blocks ${first} to ${last}`

/** Whether everything before a block has expired. The block is signed, so it can be trusted about its predecessor. */
const isAfterExpired = ({ nowMs }: ChainCheck, block: ChainBlock | undefined): boolean =>
  block !== undefined && mayHaveExpired(block.previousAt, auditChainRetentionMs, nowMs)

/** A block whose hash fits its content. */
const decodeBlock = (item: Item, shard: AuditShard): ChainBlock | undefined => {
  try {
    const block = chainBlockCodec.decode(item)
    const isGenuine =
      block.shard === shard && item.sk === getBlockSortKey(block.number) && hashBlock(block) === block.hash
    return isGenuine ? block : undefined
  } catch (error) {
    if (error instanceof MalformedItem) return undefined
    throw error
  }
}

const isSuccessor = (block: ChainBlock, { block: previous, isKnown }: LastBlock): boolean =>
  !isKnown ||
  (block.previousHash === (previous?.hash ?? '') &&
    block.firstSequence === (previous ? previous.firstSequence + previous.entries.length : 1))

const addEvents = (events: Map<string, string>, { shard, entries }: ChainBlock, findings: Findings): void => {
  for (const entry of entries) {
    const [sortKey = '', hash = ''] = entry.split(' ')
    if (events.has(sortKey)) findings.add('event_repeated', `shard ${shard}, ${sortKey}`)
    events.set(sortKey, hash)
  }
}

/** The chain must reach its head and the last signed block, and must not go on after its head. */
const verifyEnd = async (
  { table, findings, shard, signed, nowMs }: ChainCheck,
  firstHead: ChainHead | undefined,
  last: LastBlock,
): Promise<void> => {
  const head = await readHead(table, shard)
  const end = Math.max(firstHead?.number ?? 0, signed.at(-1)?.number ?? 0)
  const isExpired =
    last.number === 0 && mayHaveExpired(head?.chainedAt ?? nowMs, auditChainRetentionMs, nowMs)
  if (last.number < end && !isExpired)
    findings.add('block_missing', describeBlocks(shard, last.number + 1, end))
  if ((head?.number ?? 0) < Math.max(last.number, end)) findings.add('head_changed', `shard ${shard}`)
}

/** A head that cannot be read is as good as none. */
const readHead = async (table: Table, shard: AuditShard): Promise<ChainHead | undefined> => {
  try {
    return await findChainHead(table, shard)
  } catch (error) {
    if (error instanceof MalformedItem) return undefined
    throw error
  }
}
