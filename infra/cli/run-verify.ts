import { type FindingKind, findingKinds } from '../../lib/audit-chain/findings.ts'
import { formatCheckpoint, type VerificationResult, verifyAudit } from '../../lib/audit-chain/verify.ts'
import type { AuditCommand } from './audit-arguments.ts'
import { exitCodes } from './command-failure.ts'
import { openAudit } from './open-audit.ts'
import { formatNumber } from './progress.ts'

type VerifyCommand = Extract<AuditCommand, { name: 'verify' }>

const eventsBetweenLines = 50_000

/** Verifies the audit log and prints what it found. Returns the exit code. */
export const runVerify = async (command: VerifyCommand, signal: AbortSignal): Promise<number> => {
  const { services, publicKey, close } = await openAudit(command)
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
      table: services.table,
      publicKey,
      nowMs: services.now(),
      expected: command.expected,
      onProgress,
    })
    return report(result)
  } catch (error) {
    if (!signal.aborted) throw error
    process.stderr.write('Interrupted. The audit log was not verified.\n')
    return exitCodes.interrupted
  } finally {
    await close()
  }
}

const report = ({ findings, counts, verified, waiting, checkpoints }: VerificationResult): number => {
  const lines: string[] = []
  for (const [kind, count] of counts) {
    lines.push(`${kind}: ${formatNumber(count)}`, `  ${describe(kind)}`)
    const shown = findings.filter((finding) => finding.kind === kind)
    lines.push(...shown.map(({ subject }) => `  - ${subject}`))
    if (count > shown.length) lines.push(`  - and ${formatNumber(count - shown.length)} more`)
  }
  lines.push(`${formatNumber(verified)} events verified, ${formatNumber(waiting)} too new to be chained.`)
  const last = checkpoints.at(-1)
  if (last) {
    lines.push(`Last checkpoint: ${new Date(last.statement.at).toISOString()}`, `  ${formatCheckpoint(last)}`)
    lines.push('Later blocks of the chains are not signed yet.')
  } else lines.push('There is no signed checkpoint. If there was one before, it was removed.')
  lines.push(counts.size > 0 ? 'The audit log was tampered with.' : 'No tampering was found.')
  process.stdout.write(`${lines.join('\n')}\n`)
  if (counts.size > 0) return exitCodes.someRefused
  return last ? exitCodes.done : exitCodes.failed
}

const describe = (kind: FindingKind): string => findingKinds[kind]
