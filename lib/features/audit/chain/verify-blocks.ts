import { auditSignedLateMs } from '../../../kernel/limits/limits.ts'
import type { AuditShard } from '../../../kernel/table/keys/audit-shards.ts'
import { MalformedItem, NewerItem } from '../../../kernel/table/records.ts'
import type { TableReads } from '../../../kernel/table/table.ts'
import type { Item } from '../../../kernel/table/transaction.ts'
import {
  type ChainBlock,
  type ChainHead,
  chainBlockCodec,
  chainHeadCodec,
  findHeadItem,
  getBlockSortKey,
  readBlockItems,
} from '../chain.records.ts'
import { earliestExpiry, getBlockExpiry, hasExpired, hashBlock, isPlausibleHead } from './chain-blocks.ts'
import type { Findings } from './findings.ts'
import type { SignedChain } from './statement.ts'

export interface ChainCheck {
  readonly table: TableReads
  readonly findings: Findings
  readonly shard: AuditShard
  /** What the genuine checkpoints say about this chain, oldest first. */
  readonly signed: readonly SignedChain[]
  readonly nowMs: number
  /** Items that expired until then may be missing. Epoch milliseconds, 0 if none may. */
  readonly excusedMs: number
  /** Whether the items are an archive: what its first checkpoint signed is not in it, and its last one stands for the heads. */
  readonly isArchive?: boolean
}

export interface VerifiedChain {
  /** What the newest checkpoint signed. */
  readonly signed: SignedChain | undefined
  /** The head before the blocks were read. */
  readonly head: ChainHead | undefined
  /** The sort keys of the signed events, with what proves them: see `proveEvent`. */
  readonly events: Map<string, string>
  /** The same for events in blocks that no checkpoint has signed yet. */
  readonly newEvents: Map<string, string>
  /** Signed events in blocks that have expired, or that are older than an archive. */
  readonly ended: number
}

/** A block that was read or signed, as the block after it must continue it. */
interface Position {
  readonly number: number
  /** Undefined for a block that was not read or cannot be read. */
  readonly end: Pick<SignedChain, 'hash' | 'chainedAt' | 'expiresAt' | 'sequence'> | undefined
}

/**
 * Checks the blocks of a chain from a number on. Only what a checkpoint signed proves that a block may be missing: a block
 * is signed if its hash is, or if a signed block follows it.
 */
export const verifyBlocks = async (check: ChainCheck, first = 1): Promise<VerifiedChain> => {
  const { table, findings, shard, nowMs, excusedMs, isArchive = false } = check
  const { signed, findSigner } = readSigned(check)
  const readHead = isArchive
    ? async () => signed && headOf(signed)
    : async () => decodeHead(await findHeadItem(table, shard), shard)
  // Read before the blocks: the chain may grow during the check.
  const head = await readHead()
  const [events, newEvents] = [new Map<string, string>(), new Map<string, string>()]
  const start = isArchive ? await findStart(check) : { last: positionBefore(first), ended: 0 }
  let { last, ended } = start
  let isHeadGenuine = isHeadPossible(head, signed, nowMs)
  /** Blocks are missing. `end` is the last of them, as a signed statement or the block after it describes it. */
  const skipTo = (number: number, end: { readonly expiresAt: number; readonly sequence: number }): void => {
    if (!mayBeMissing(findSigner(number), { number, expiresAt: end.expiresAt }, excusedMs))
      findings.add('block_missing', describeBlocks(shard, last.number + 1, number))
    else if (last.end) ended += end.sequence - last.end.sequence
  }
  const skipToSigned = (before: number): void => {
    if (!signed || last.number >= signed.number || before <= signed.number) return
    skipTo(signed.number, signed)
    last = { number: signed.number, end: signed }
  }
  for await (const item of readBlockItems(table, shard, last.number + 1)) {
    const block = decodeBlock(item, shard)
    const number = block?.number ?? Number(item.sk.split('#')[1])
    skipToSigned(number)
    if (number > last.number + 1)
      skipTo(number - 1, {
        expiresAt: block?.previousExpiresAt ?? Number.POSITIVE_INFINITY,
        sequence: (block?.firstSequence ?? 1) - 1,
      })
    if (!block || !isSigned(block, findSigner(number), signed, excusedMs) || !isSuccessor(block, last))
      findings.add('block_changed', `shard ${shard}, ${item.sk}`)
    if (!Number.isSafeInteger(number)) continue
    for (const entry of block?.entries ?? []) {
      const [sortKey = '', ...proof] = String(entry).split(' ')
      if (events.has(sortKey) || newEvents.has(sortKey))
        findings.add('event_repeated', `shard ${shard}, ${sortKey}`)
      else (number <= (signed?.number ?? 0) ? events : newEvents).set(sortKey, proof.join(' '))
    }
    last = { number, end: block && endOf(block) }
    if (block && number === head?.number) isHeadGenuine &&= isSameEnd(head, endOf(block))
  }
  skipToSigned(Number.POSITIVE_INFINITY)
  if (head && last.number < head.number)
    findings.add('block_missing', describeBlocks(shard, last.number + 1, head.number))
  const laterHead = await readHead()
  if (!isHeadGenuine || (laterHead?.number ?? 0) < last.number) findings.add('head_changed', `shard ${shard}`)
  return { signed, head, events, newEvents, ended }
}

/** The position before a block. Nothing is known about it, except before the first one. */
const positionBefore = (number: number): Position => ({
  number: number - 1,
  end: number === 1 ? { hash: '', chainedAt: 0, expiresAt: 0, sequence: 0 } : undefined,
})

/**
 * Where an archive begins, and how many events are older. It has what followed its first checkpoint, and can have blocks that this one
 * signed, if it is a part of a longer one.
 */
const findStart = async ({ table, shard, signed: [before] }: ChainCheck) => {
  if (!before) return { last: positionBefore(1), ended: 0 }
  const after = { last: { number: before.number, end: before }, ended: before.sequence }
  for await (const item of readBlockItems(table, shard, 1)) {
    const block = decodeBlock(item, shard)
    if (!block || block.number > before.number) return after
    return { last: positionBefore(block.number), ended: block.firstSequence - 1 }
  }
  return after
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
 * Whether a block may have expired. `expiresAt` is from the block after it. It counts only as far as the times of
 * checkpoints allow it, because the table's writers can choose it until a checkpoint signs it.
 */
const mayBeMissing = (
  signer: SignedChain | undefined,
  { number, expiresAt }: { readonly number: number; readonly expiresAt: number },
  excusedMs: number,
): boolean => {
  if (!signer) return false
  const end = signer.number === number ? signer.expiresAt : Math.max(expiresAt, earliestExpiry(signer.since))
  return hasExpired(end, excusedMs)
}

/** A block whose hash fits its content. */
const decodeBlock = (item: Item, shard: AuditShard): ChainBlock | undefined => {
  const block = decodeIfGenuine(() => chainBlockCodec.decode(item))
  return block &&
    block.shard === shard &&
    item.sk === getBlockSortKey(block.number) &&
    item['expires_at'] === block.expiresAt &&
    block.expiresAt === getBlockExpiry(block.entries, block.chainedAt, block.previousExpiresAt) &&
    hashBlock(block) === block.hash
    ? block
    : undefined
}

/**
 * Whether a block is what its checkpoint says. It cannot be older than the checkpoint before that one. A block that is not signed
 * yet cannot be older than `newest`, what the newest checkpoint says.
 */
const isSigned = (
  block: ChainBlock,
  signer: SignedChain | undefined,
  newest: SignedChain | undefined,
  excusedMs: number,
): boolean => {
  if (signer?.number === block.number) return isSameEnd(signer, endOf(block))
  if (!signer) return block.chainedAt >= (newest ? newest.at - auditSignedLateMs : 0)
  // Blocks of checkpoints that have expired are older.
  return block.chainedAt >= signer.since || hasExpired(signer.previousExpiresAt, excusedMs)
}

const isSuccessor = (block: ChainBlock, { number, end }: Position): boolean =>
  block.number !== number + 1 ||
  // Nothing is known about the successor of a block that was not read.
  end === undefined ||
  (block.firstSequence === end.sequence + 1 &&
    block.previousHash === end.hash &&
    block.previousAt === end.chainedAt &&
    block.previousExpiresAt === end.expiresAt &&
    block.chainedAt >= block.previousAt)

const endOf = ({ hash, chainedAt, expiresAt, firstSequence, entries }: ChainBlock) => ({
  hash,
  chainedAt,
  expiresAt,
  sequence: firstSequence + entries.length - 1,
})

type End = NonNullable<Position['end']>

const isSameEnd = (a: End, b: End): boolean =>
  a.hash === b.hash && a.chainedAt === b.chainedAt && a.expiresAt === b.expiresAt && a.sequence === b.sequence

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

/** The head that a service has whose last blocks were signed. */
const headOf = (signed: SignedChain): ChainHead => ({
  ...signed,
  cursor: signed.swept,
  sweptBlock: signed.number,
  marked: signed.swept,
  markedBlock: signed.number,
})

/** A head that cannot be read, or that would expire, is as good as none. */
const decodeHead = (item: Item | undefined, shard: AuditShard): ChainHead | undefined => {
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
