import { auditShards } from '../core/audit-shards.ts'
import type { Table } from '../store/engine/table.ts'
import { type Finding, type FindingKind, Findings } from './findings.ts'
import { verifyBlocks } from './verify-blocks.ts'
import { type VerifiedCheckpoint, verifyCheckpoints } from './verify-checkpoints.ts'
import { verifyEvents } from './verify-events.ts'

export interface Verification {
  readonly table: Table
  /** The public key of the checkpoints in PEM format. */
  readonly publicKey: string
  readonly nowMs: number
  /** A checkpoint that was noted elsewhere, as its number, a colon, and its hash. */
  readonly expected?: string | undefined
  /** Called with the number of events that were read since the last call. */
  readonly onProgress?: (events: number) => void
}

export interface VerificationResult {
  /** The first findings of each kind, and the number of all. Empty if nothing was tampered with. */
  readonly findings: readonly Finding[]
  readonly counts: ReadonlyMap<FindingKind, number>
  readonly verified: number
  readonly waiting: number
  readonly checkpoints: readonly VerifiedCheckpoint[]
}

/**
 * Checks that no audit event was changed, removed, or added later, since its chain was signed. Uses only what the table
 * and the public key say, and writes nothing.
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
  let [verified, waiting] = [0, 0]
  for (const shard of auditShards) {
    const signed = checkpoints.flatMap(({ statement }) =>
      statement.chains.filter((chain) => chain.shard === shard),
    )
    const check = { table, findings, shard, signed, nowMs }
    const events = await verifyEvents(check, await verifyBlocks(check), onProgress)
    verified += events.verified
    waiting += events.waiting
  }
  return { findings: findings.kept, counts: findings.counts, verified, waiting, checkpoints }
}

/** The short form of a checkpoint, to be noted outside of the table. */
export const formatCheckpoint = ({ statement, hash }: VerifiedCheckpoint): string =>
  `${statement.number}:${hash}`
