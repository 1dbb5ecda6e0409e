import { auditChainRetentionMs, auditSignedLateMs } from '../limits/limits.ts'
import {
  type ChainBlock,
  type ChainHead,
  chainBlockCodec,
  chainHeadCodec,
  findHeadItem,
  getBlockSortKey,
  readBlockItems,
} from '../store/audit/chain.ts'
import { MalformedItem, NewerItem } from '../store/engine/codec.ts'
import type { TableReads } from '../store/engine/table.ts'
import type { Item } from '../store/engine/transaction.ts'
import type { AuditShard } from '../store/keys/audit-shards.ts'
import { isPlausibleHead } from './check-head.ts'
import { getExpiry, mayHaveExpired } from './expiry.ts'
import type { Findings } from './findings.ts'
import { hashBlock } from './hashes.ts'
import type { SignedChain } from './statement.ts'

export interface ChainCheck {
  readonly table: TableReads
  readonly findings: Findings
  readonly shard: AuditShard
  /** What the genuine checkpoints say about this chain, oldest first. */
  readonly signed: readonly SignedChain[]
  readonly nowMs: number
}

export interface VerifiedChain {
  /** What the newest checkpoint signed. */
  readonly signed: SignedChain | undefined
  /** The head before the blocks were read. */
  readonly head: ChainHead | undefined
  /** The sort keys and hashes of the signed events. */
  readonly events: Map<string, string>
  /** The same for events in blocks that no checkpoint has signed yet. */
  readonly newEvents: Map<string, string>
  /** Signed events in blocks that have expired. */
  readonly ended: number
}

/** A block that was read or signed, as the block after it must continue it. */
interface Position {
  readonly number: number
  /** Undefined for a block that was not read or cannot be read. */
  readonly end: Pick<SignedChain, 'hash' | 'chainedAt' | 'sequence'> | undefined
}

/**
 * Checks the blocks of a chain from a number on. Only what a checkpoint signed proves that a block may be missing: a block
 * is signed if its hash is, or if a signed block follows it.
 */
export const verifyBlocks = async (check: ChainCheck, from = 1): Promise<VerifiedChain> => {
  const { table, findings, shard, nowMs } = check
  // Read before the blocks: the chain may grow during the check.
  const head = await readHead(table, shard)
  const { signed, findSigner } = readSigned(check)
  const [events, newEvents] = [new Map<string, string>(), new Map<string, string>()]
  let ended = 0
  let last: Position = {
    number: from - 1,
    end: from === 1 ? { hash: '', chainedAt: 0, sequence: 0 } : undefined,
  }
  let isHeadGenuine = isHeadPossible(head, signed, nowMs)
  /** Blocks are missing. `end` is the last of them, as a signed statement or the block after it describes it. */
  const skipTo = (number: number, end: { readonly chainedAt: number; readonly sequence: number }): void => {
    if (!mayBeMissing(findSigner(number), { number, chainedAt: end.chainedAt }, nowMs))
      findings.add('block_missing', describeBlocks(shard, last.number + 1, number))
    else if (last.end) ended += end.sequence - last.end.sequence
  }
  const skipToSigned = (before: number): void => {
    if (!signed || last.number >= signed.number || before <= signed.number) return
    skipTo(signed.number, signed)
    last = { number: signed.number, end: signed }
  }
  for await (const item of readBlockItems(table, shard, from)) {
    const block = decodeBlock(item, shard)
    const number = block?.number ?? Number(item.sk.split('#')[1])
    skipToSigned(number)
    if (number > last.number + 1)
      skipTo(number - 1, {
        chainedAt: block?.previousAt ?? nowMs,
        sequence: (block?.firstSequence ?? 1) - 1,
      })
    const newest = signed && signed.at - auditSignedLateMs
    if (!block || !isSigned(block, findSigner(number), newest, nowMs) || !isSuccessor(block, last))
      findings.add('block_changed', `shard ${shard}, ${item.sk}`)
    if (!Number.isSafeInteger(number)) continue
    for (const entry of block?.entries ?? []) {
      const [sortKey = '', hash = ''] = String(entry).split(' ')
      if (events.has(sortKey) || newEvents.has(sortKey))
        findings.add('event_repeated', `shard ${shard}, ${sortKey}`)
      else (number <= (signed?.number ?? 0) ? events : newEvents).set(sortKey, hash)
    }
    last = { number, end: block && endOf(block) }
    if (block && number === head?.number) isHeadGenuine &&= isSameEnd(head, endOf(block))
  }
  skipToSigned(Number.POSITIVE_INFINITY)
  if (head && last.number < head.number)
    findings.add('block_missing', describeBlocks(shard, last.number + 1, head.number))
  const laterHead = await readHead(table, shard)
  if (!isHeadGenuine || (laterHead?.number ?? 0) < last.number) findings.add('head_changed', `shard ${shard}`)
  return { signed, head, events, newEvents, ended }
}

/**
 * What the newest checkpoint says about the chain, and a function that finds the first one to sign a block. It must be
 * called with increasing numbers.
 */
const readSigned = ({ findings, shard, signed }: ChainCheck) => {
  const first: SignedChain[] = []
  for (const chain of signed) {
    const last = first.at(-1)
    if (!last || chain.number > last.number) first.push(chain)
    else if (chain.number < last.number || !isSameEnd(chain, last))
      findings.add(
        'block_changed',
        `shard ${shard}, signed differently at ${new Date(chain.at).toISOString()}`,
      )
  }
  const [last, newest] = [first.at(-1), signed.at(-1)]
  let position = 0
  return {
    signed: last && newest && { ...last, at: newest.at, swept: newest.swept },
    findSigner: (number: number): SignedChain | undefined => {
      for (let chain = first[position]; chain && chain.number < number; chain = first[position]) position++
      return first[position]
    },
  }
}

const describeBlocks = (shard: AuditShard, first: number, last: number): string =>
  first >= last ? `shard ${shard}, block ${last}` : `shard ${shard}, blocks ${first} to ${last}`

/**
 * Whether a block may have expired. `chainedAt` is its time by the block after it. It counts only as far as the times of
 * checkpoints allow it, because the table's writers can choose it until a checkpoint signs it.
 */
const mayBeMissing = (
  signer: SignedChain | undefined,
  { number, chainedAt }: { readonly number: number; readonly chainedAt: number },
  nowMs: number,
): boolean => {
  if (!signer) return false
  const storedAt = signer.number === number ? signer.chainedAt : Math.max(chainedAt, signer.since)
  return mayHaveExpired(storedAt, auditChainRetentionMs, nowMs)
}

/** A block whose hash fits its content. */
const decodeBlock = (item: Item, shard: AuditShard): ChainBlock | undefined => {
  const block = decodeIfGenuine(() => chainBlockCodec.decode(item))
  return block &&
    block.shard === shard &&
    item.sk === getBlockSortKey(block.number) &&
    item['expires_at'] === getExpiry(block.chainedAt, auditChainRetentionMs) &&
    hashBlock(block) === block.hash
    ? block
    : undefined
}

/**
 * Whether a block is what its checkpoint says. A block that claims an earlier time than the checkpoint before that one
 * would expire before its events. `newest` is the earliest time of a block that is not signed yet.
 */
const isSigned = (
  block: ChainBlock,
  signer: SignedChain | undefined,
  newest: number | undefined,
  nowMs: number,
): boolean => {
  if (signer?.number === block.number) return isSameEnd(signer, endOf(block))
  const since = signer?.since ?? newest ?? 0
  // Blocks of checkpoints that have expired are older.
  return block.chainedAt >= since || mayHaveExpired(since, auditChainRetentionMs, nowMs)
}

const isSuccessor = (block: ChainBlock, { number, end }: Position): boolean =>
  block.number !== number + 1 ||
  // Nothing is known about the successor of a block that was not read.
  end === undefined ||
  (block.firstSequence === end.sequence + 1 &&
    block.previousHash === end.hash &&
    block.previousAt === end.chainedAt &&
    block.chainedAt >= block.previousAt)

const endOf = ({ hash, chainedAt, firstSequence, entries }: ChainBlock) => ({
  hash,
  chainedAt,
  sequence: firstSequence + entries.length - 1,
})

type End = NonNullable<Position['end']>

const isSameEnd = (a: End, b: End): boolean =>
  a.hash === b.hash && a.chainedAt === b.chainedAt && a.sequence === b.sequence

/** A head continues what was signed. A chain without events may have none. */
const isHeadPossible = (
  head: ChainHead | undefined,
  signed: SignedChain | undefined,
  nowMs: number,
): boolean => {
  if (!head) return signed === undefined
  if (!isPlausibleHead(head, nowMs)) return false
  if (!signed) return head.number > 0 || (head.hash === '' && head.sequence === 0 && head.chainedAt === 0)
  if (head.number < signed.number || head.swept < signed.swept) return false
  return head.number > signed.number || isSameEnd(head, signed)
}

/** A head that cannot be read, or that would expire, is as good as none. */
const readHead = async (table: TableReads, shard: AuditShard): Promise<ChainHead | undefined> => {
  const item = await findHeadItem(table, shard)
  const head = item && decodeIfGenuine(() => chainHeadCodec.decode(item))
  return head?.shard === shard && item?.['expires_at'] === undefined ? head : undefined
}

const decodeIfGenuine = <Row>(decode: () => Row): Row | undefined => {
  try {
    return decode()
  } catch (error) {
    if (error instanceof MalformedItem || error instanceof NewerItem) return undefined
    throw error
  }
}
