import { checkPersonalValues, nameValues } from '../../../accounts/events/personal-values.records.ts'
import { auditCheckpointMs, auditRetentionMaxDays } from '../../../kernel/limits/limits.ts'
import { type AuditShard, auditShards } from '../../../kernel/table/keys/audit-shards.ts'
import type { TableReads } from '../../../kernel/table/table.ts'
import { day } from '../../../kernel/util/time.ts'
import { readShardPages, timeOf } from '../shard-events.records.ts'
import { clockSkewMs, expiryOf, hasExpired, proveEvent } from './chain-blocks.ts'
import { type Finding, type FindingKind, Findings } from './findings.ts'
import { type CheckpointStatement, listSignedChains } from './statement.ts'
import { type ChainCheck, type VerifiedChain, verifyBlocks } from './verify-blocks.ts'
import { type VerifiedCheckpoint, verifyCheckpoints } from './verify-checkpoints.ts'

/** A checkpoint is signed within this time after the one before it, while the service runs. */
const signedSoonMs = 2 * auditCheckpointMs

export interface Verification {
  readonly table: TableReads
  /** The public key of the checkpoints in PEM format. */
  readonly publicKey: string
  readonly nowMs: number
  /**
   * Whether the items are an archive. Then nothing may be missing that its first checkpoint did not sign, also what has expired in
   * the table.
   */
  readonly isArchive?: boolean
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
  /** Those whose retention has ended, or that are older than an archive. */
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
  /** How many events have names, addresses or attributes of people beside them, and of how many these were erased. */
  readonly personal: PersonalCounts
}

interface PersonalCounts {
  readonly kept: number
  readonly erased: number
}

/**
 * Checks that no audit event was changed, removed, or added later, since its chain was signed. Trusts only what a
 * checkpoint signed, uses only what the table and the public key say, and writes nothing.
 */
export const verifyAudit = async ({
  table,
  publicKey,
  nowMs: clockMs,
  isArchive = false,
  expected,
  onProgress = () => {},
}: Verification): Promise<VerificationResult> => {
  const findings = new Findings()
  const excusedMs = isArchive ? 0 : clockMs
  const checkpoints = await verifyCheckpoints({
    table,
    findings,
    publicKey,
    excusedMs,
    beginsAnywhere: isArchive,
  })
  if (expected !== undefined && !checkpoints.some((checkpoint) => formatCheckpoint(checkpoint) === expected))
    findings.add('checkpoint_missing', `the expected checkpoint ${expected}`)
  const statements = checkpoints.map(({ statement }) => statement)
  // The clock can have been set back since events were chained. The next checkpoint would have signed them.
  const nowMs = Math.max(clockMs, (statements.at(-1)?.at ?? 0) + signedSoonMs)
  // Everything in an archive counts.
  const sinceMs = isArchive ? 0 : clockMs - longestRetentionMs(statements)
  const shards: ShardCounts[] = []
  let personal: PersonalCounts = { kept: 0, erased: 0 }
  const uncoveredTimes: number[] = []
  let uncovered = 0
  for (const shard of auditShards) {
    const signed = listSignedChains(statements, shard)
    const check = { table, findings, shard, signed, nowMs, excusedMs, isArchive }
    const earlier = findings.total
    const chain = await verifyBlocks(check)
    const events = await verifyEvents({ ...check, sinceMs }, chain, onProgress)
    const [count, found] = [chain.signed?.sequence ?? 0, events.verified + events.ended]
    // Each missing event has a finding of its own already. This is the last defense.
    if (found !== count && findings.total === earlier)
      findings.add('event_missing', `shard ${shard}, ${count} events were signed, but there are ${found}`)
    personal = { kept: personal.kept + events.kept, erased: personal.erased + events.erased }
    shards.push({ shard, signed: count, verified: events.verified, ended: events.ended })
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
    personal,
  }
}

/** How long a service with these checkpoints has kept events at most. Without a checkpoint, it may be any time. */
export const longestRetentionMs = (statements: readonly CheckpointStatement[]): number => {
  const days = statements.map(({ retentionDays }) => retentionDays)
  return (days.length > 0 ? Math.max(...days) : auditRetentionMaxDays) * day
}

/** The short form of a checkpoint, to be noted outside of the table. */
export const formatCheckpoint = ({ statement, hash }: VerifiedCheckpoint): string =>
  `${statement.number}:${hash}`

interface EventCounts extends PersonalCounts {
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
  { table, findings, shard, nowMs, excusedMs, sinceMs }: ChainCheck & { readonly sinceMs: number },
  { signed, events, newEvents, ended: endedBlocks }: VerifiedChain,
  onProgress: (events: number) => void,
): Promise<EventCounts> => {
  const swept = signed?.swept ?? ''
  const to = new Date(nowMs + clockSkewMs).toISOString()
  // An event expires at a full second.
  const after = new Date(Math.max(0, sinceMs - 1000)).toISOString()
  let [verified, ended, uncovered] = [0, endedBlocks, 0]
  let [kept, erased] = [0, 0]
  let uncoveredFrom: string | undefined
  for await (const items of readShardPages(table, shard, { after, to }, pageSize)) {
    for (const item of items) {
      const isSigned = events.has(item.sk)
      const proof = events.get(item.sk) ?? newEvents.get(item.sk)
      events.delete(item.sk)
      newEvents.delete(item.sk)
      if (proof !== undefined && proof !== proveEvent(item))
        findings.add('event_changed', `shard ${shard}, ${item.sk}`)
      else if (isSigned) verified += 1
      else if (proof === undefined && item.sk <= swept)
        findings.add('event_added', `shard ${shard}, ${item.sk}`)
      else {
        uncovered += 1
        uncoveredFrom ??= item.sk
      }
    }
    const named = items.flatMap(nameValues)
    const values = await checkPersonalValues(table, named)
    for (const { userId, hash } of values.changed) findings.add('values_changed', `user ${userId}, ${hash}`)
    kept += values.kept
    erased += named.length - values.kept
    onProgress(items.length)
  }
  for (const chained of [events, newEvents])
    for (const [sortKey, proof] of chained)
      if (!hasExpired(expiryOf(proof), excusedMs)) findings.add('event_missing', `shard ${shard}, ${sortKey}`)
      else if (chained === events) ended += 1
  return { verified, ended, uncovered, uncoveredFrom, kept, erased }
}
