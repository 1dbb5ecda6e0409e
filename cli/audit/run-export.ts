import { endInterrupted, exitCodes } from '../exit-codes.ts'
import { formatNumber } from '../progress.ts'
import { openTarget } from '../users/import-target.ts'
import { readAuditItems, writeAuditFile } from './audit-file.ts'
import type { AuditCommand } from './command.ts'

/** Writes the audit log to a file that `verify --file` accepts. Returns the exit code. */
export const runExport = async (
  { table, file }: Extract<AuditCommand, { name: 'export' }>,
  signal: AbortSignal,
): Promise<number> => {
  const { services, close } = await openTarget({ table, whenNew: 'fail' })
  try {
    const count = await writeAuditFile(readAuditItems(services.table, services.now()), file, signal)
    process.stdout.write(`${formatNumber(count)} items exported.\n`)
    return exitCodes.done
  } catch (error) {
    return endInterrupted(error, signal, 'The export is incomplete, and no file was written.')
  } finally {
    await close()
  }
}
