import { auditRetentionMs } from '../limits/limits.ts'
import { readShardEvents, timeOf } from '../store/audit/shard-events.ts'
import type { TableReads } from '../store/engine/table.ts'
import { type AuditShard, auditShards } from '../store/keys/audit-shards.ts'
import { clockSkewMs } from './check-head.ts'
import { mayHaveExpired } from './expiry.ts'
import { type Finding, type FindingKind, Findings } from './findings.ts'
import { hashEvent } from './hashes.ts'
import { listSignedChains } from './statement.ts'
import { type ChainCheck, type VerifiedChain, verifyBlocks } from './verify-blocks.ts'
import { type VerifiedCheckpoint, verifyCheckpoints } from './verify-checkpoints.ts'

export interface Verification {
  readonly table: TableReads
  /** The public key of the checkpoints in PEM format. */
  readonly publicKey: string
  readonly nowMs: number
  /** A checkpoint that was noted elsewhere, as its number, a colon, and its hash. */
  readonly expected?: string | undefined
  /** Called with the number of events that were read since the last call. */
  readonly onProgress?: (events: number) => void
}

/** How many events the newest checkpoint signed in one chain, and what is left of them. */
export interface ShardCounts {
  readonly shard: AuditShard
  readonly signed: number
  /** Those that are stored unchanged. */
  readonly verified: number
  /** Those whose retention has ended. */
  readonly ended: number
}

export interface VerificationResult {
  /** The first findings of each kind, and the number of all. Empty if nothing was tampered with. */
  readonly findings: readonly Finding[]
  readonly counts: ReadonlyMap<FindingKind, number>
  readonly shards: readonly ShardCounts[]
  /** Stored events that no checkpoint covers yet, and the time of the first one in epoch milliseconds. */
  readonly uncovered: number
  readonly uncoveredSince: number | undefined
  readonly checkpoints: readonly VerifiedCheckpoint[]
}

/**
 * Checks that no audit event was changed, removed, or added later, since its chain was signed. Trusts only what a
 * checkpoint signed, uses only what the table and the public key say, and writes nothing.
 */
export const verifyAudit = async ({
  table,
  publicKey,
  nowMs,
  expected,
  onProgress = () => {},
}: Verification): Promise<VerificationResult> => {
  const findings = new Findings()
  const checkpoints = await verifyCheckpoints({ table, findings, publicKey, nowMs })
  if (expected !== undefined && !checkpoints.some((checkpoint) => formatCheckpoint(checkpoint) === expected))
    findings.add('checkpoint_missing', `the expected checkpoint ${expected}`)
  const statements = checkpoints.map(({ statement }) => statement)
  const shards: ShardCounts[] = []
  const uncoveredTimes: number[] = []
  let uncovered = 0
  for (const shard of auditShards) {
    const check = { table, findings, shard, signed: listSignedChains(statements, shard), nowMs }
    const earlier = findings.total
    const chain = await verifyBlocks(check)
    const events = await verifyEvents(check, chain, onProgress)
    const [signed, found] = [chain.signed?.sequence ?? 0, events.verified + events.ended]
    // Each missing event has a finding of its own already. This is the last defense.
    if (found !== signed && findings.total === earlier)
      findings.add('event_missing', `shard ${shard}, ${signed} events were signed, but there are ${found}`)
    shards.push({ shard, signed, verified: events.verified, ended: events.ended })
    uncovered += events.uncovered
    if (events.uncoveredFrom !== undefined) uncoveredTimes.push(timeOf(events.uncoveredFrom))
  }
  return {
    findings: findings.kept,
    counts: findings.counts,
    shards,
    uncovered,
    uncoveredSince: uncoveredTimes.length > 0 ? Math.min(...uncoveredTimes) : undefined,
    checkpoints,
  }
}

/** The short form of a checkpoint, to be noted outside of the table. */
export const formatCheckpoint = ({ statement, hash }: VerifiedCheckpoint): string =>
  `${statement.number}:${hash}`

interface EventCounts {
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
const verifyEvents = async (
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
