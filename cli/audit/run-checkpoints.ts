import { Findings } from '../../lib/features/audit/chain/findings.ts'
import { formatCheckpoint } from '../../lib/features/audit/chain/verify.ts'
import { verifyCheckpoints } from '../../lib/features/audit/chain/verify-checkpoints.ts'
import { exitCodes } from '../exit-codes.ts'
import type { AuditCommand } from './command.ts'
import { openAudit } from './open-audit.ts'

/** Prints all genuine checkpoints, oldest first. Returns the exit code. */
export const runCheckpoints = async (
  command: Extract<AuditCommand, { name: 'checkpoints' }>,
): Promise<number> => {
  const { services, publicKey, close } = await openAudit(command)
  try {
    const findings = new Findings()
    const { table } = services
    for (const checkpoint of await verifyCheckpoints({
      table,
      findings,
      publicKey,
      excusedMs: services.now(),
    }))
      process.stdout.write(
        `${new Date(checkpoint.statement.at).toISOString()} ${formatCheckpoint(checkpoint)}\n`,
      )
    for (const { kind, subject } of findings.kept) process.stderr.write(`${kind}: ${subject}\n`)
    return findings.kept.length > 0 ? exitCodes.someRefused : exitCodes.done
  } finally {
    await close()
  }
}
