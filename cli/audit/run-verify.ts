import { type FindingKind, Findings, findingKinds } from '../../lib/features/audit/chain/findings.ts'
import {
  formatCheckpoint,
  type ShardCounts,
  type VerificationResult,
  verifyAudit,
} from '../../lib/features/audit/chain/verify.ts'
import {
  type VerifiedCheckpoint,
  verifyCheckpoints,
} from '../../lib/features/audit/chain/verify-checkpoints.ts'
import { auditCheckpointMs } from '../../lib/kernel/limits/limits.ts'
import type { TableReads } from '../../lib/kernel/table/table.ts'
import { endInterrupted, exitCodes } from '../exit-codes.ts'
import { formatNumber } from '../progress.ts'
import type { AuditCommand } from './command.ts'
import { openAudit, openExport } from './open-audit.ts'

type VerifyCommand = Extract<AuditCommand, { name: 'verify' }>

const eventsBetweenLines = 50_000

/** Verifies the audit log and prints what it found. Returns the exit code. */
export const runVerify = async (command: VerifyCommand, signal: AbortSignal): Promise<number> => {
  const { table, publicKey, nowMs, isArchive, close } = await openLog(command)
  let [events, printed] = [0, 0]
  const onProgress = (count: number): void => {
    signal.throwIfAborted()
    events += count
    if (events - printed < eventsBetweenLines) return
    printed = events
    process.stderr.write(`${formatNumber(events)} events read\n`)
  }
  try {
    const result = await verifyAudit({
      table,
      publicKey,
      nowMs,
      isArchive,
      expected: command.expected,
      onProgress,
    })
    return report(result, { nowMs, isFile: command.file !== undefined })
  } catch (error) {
    return endInterrupted(error, signal, 'The audit log was not verified.')
  } finally {
    await close()
  }
}

/** What is verified, and the time as of which it is. */
const openLog = async ({ file, ...command }: VerifyCommand) => {
  if (file === undefined) {
    const { services, publicKey, close } = await openAudit(command)
    return { table: services.table, publicKey, nowMs: services.now(), isArchive: false, close }
  }
  const { table, publicKey, isArchive } = await openExport(file, command.publicKeyFile)
  return { table, publicKey, nowMs: await readSignedTime(table, publicKey), isArchive, close: async () => {} }
}

/**
 * When the next checkpoint was due after the newest one of an export. A time in the file itself, or the present one, could excuse that
 * events are missing.
 */
export const readSignedTime = async (table: TableReads, publicKey: string): Promise<number> => {
  const check = { table, findings: new Findings(), publicKey, excusedMs: 0 }
  const times = (await verifyCheckpoints(check)).map(({ statement }) => statement.at)
  return Math.max(0, ...times) + auditCheckpointMs
}

interface Verified {
  readonly nowMs: number
  /** Files have no names, addresses and attributes. */
  readonly isFile: boolean
}

const report = (result: VerificationResult, { nowMs, isFile }: Verified): number => {
  const { findings, counts, shards, uncovered, uncoveredSince, checkpoints, personal } = result
  const lines: string[] = []
  for (const [kind, count] of counts) {
    lines.push(`${kind}: ${formatNumber(count)}`, `  ${describe(kind)}`)
    const shown = findings.filter((finding) => finding.kind === kind)
    lines.push(...shown.map(({ subject }) => `  - ${subject}`))
    if (count > shown.length) lines.push(`  - and ${formatNumber(count - shown.length)} more`)
  }
  for (const { shard, signed, verified, ended } of shards)
    if (verified + ended !== signed)
      lines.push(`Shard ${shard}: ${describeCounts({ signed, verified, ended })}`)
  const last = checkpoints.at(-1)
  if (last) lines.push(...describeCheckpoints(checkpoints, last, nowMs))
  else lines.push('There is no signed checkpoint. If there was one before, it was removed.')
  lines.push(...describeClock(checkpoints, nowMs))
  lines.push(
    describeCounts({
      signed: sumOf(shards, 'signed'),
      verified: sumOf(shards, 'verified'),
      ended: sumOf(shards, 'ended'),
    }),
  )
  if (uncoveredSince === undefined) lines.push('Not yet covered: no stored events.')
  else lines.push(`Not yet covered: ${formatNumber(uncovered)} events since ${toTime(uncoveredSince)}.`)
  if (!isFile && personal.kept + personal.erased > 0)
    lines.push(
      `Former names, addresses and attributes: of ${formatNumber(personal.kept)} events,`,
      `erased of ${formatNumber(personal.erased)}.`,
    )
  if (last)
    lines.push(
      'The table alone cannot prove that it is the newest one: an old backup has',
      'matching checkpoints. Keep the newest checkpoint outside, and --expect it.',
    )
  lines.push(conclude(result))
  process.stdout.write(`${lines.join('\n')}\n`)
  if (counts.size > 0) return exitCodes.someRefused
  return last ? exitCodes.done : exitCodes.failed
}

const conclude = ({ counts, checkpoints }: VerificationResult): string => {
  if (counts.size > 0) return 'The audit log was tampered with.'
  return checkpoints.length > 0
    ? 'No tampering was found.'
    : 'No tampering was found, but without a checkpoint there is nothing to compare with.'
}

/** A clock that ran ahead dates checkpoints after later ones. Then events can be missing although no one removed them. */
const describeClock = (checkpoints: readonly VerifiedCheckpoint[], nowMs: number): readonly string[] => {
  const ahead = checkpoints.find(
    ({ statement }, index) => statement.at > (checkpoints[index + 1]?.statement.at ?? nowMs) + clockSkewMs,
  )
  if (!ahead) return []
  return [
    `The clock of the service was ahead when it signed checkpoint ${ahead.statement.number}:`,
    `  ${toTime(ahead.statement.at)}`,
    'Stored events can have expired by that clock. Then event_missing is a',
    'consequence. Compare with a backup to know.',
  ]
}

/** Clocks of servers may differ by this much. */
const clockSkewMs = 60_000

type Counts = Omit<ShardCounts, 'shard'>

const sumOf = (shards: readonly ShardCounts[], name: keyof Counts): number =>
  shards.reduce((sum, shard) => sum + shard[name], 0)

const describeCounts = ({ signed, verified, ended }: Counts): string =>
  `${formatNumber(signed)} events signed, ${formatNumber(verified)} verified, ${formatNumber(ended)} expired.`

const describeCheckpoints = (
  [first]: readonly VerifiedCheckpoint[],
  last: VerifiedCheckpoint,
  nowMs: number,
): readonly string[] => {
  const lines = [
    `First checkpoint: number ${first?.statement.number}, ${toTime(first?.statement.at ?? 0)}`,
    `Newest checkpoint: number ${last.statement.number}, ${toTime(last.statement.at)}`,
    `  ${formatCheckpoint(last)}`,
  ]
  if (nowMs - last.statement.at > 2 * auditCheckpointMs)
    lines.push(
      'A running service signs one every hour. It did not run since then, it could',
      'not sign, or the table was rolled back.',
    )
  return lines
}

const toTime = (ms: number): string => new Date(ms).toISOString()

const describe = (kind: FindingKind): string => findingKinds[kind]
