import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { writeAudit } from '../../lib/accounts/common/request-context.ts'
import type { Services } from '../../lib/services.ts'
import { openTableScan, type ScanPage } from '../../lib/store/engine/table-scan.ts'
import { endInterrupted, exitCodes } from '../command-failure.ts'
import { createExistsFailure, writeNewFile } from '../input.ts'
import { retryThrottled } from '../pool.ts'
import { formatNumber } from '../progress.ts'
import { openTarget } from '../users/import-target.ts'
import type { TableCommand } from './command.ts'
import { type ExportHeader, isExported, writeItemLine } from './export-format.ts'
import { mapSecrets } from './move-secrets.ts'

type ExportCommand = Extract<TableCommand, { name: 'export' }>

/** Writes everything that a service is into a file, with its secrets. Returns the exit code. */
export const runExport = async ({ table, file }: ExportCommand, signal: AbortSignal): Promise<number> => {
  if (existsSync(file)) throw createExistsFailure(file)
  const { services, close } = await openTarget({ table, whenNew: 'fail' })
  let count = 0
  async function* countLines(lines: AsyncIterable<string>) {
    for await (const line of lines) {
      count += 1
      yield line
    }
  }
  try {
    await auditExport(services)
    await writeNewFile(Readable.from(countLines(exportItems(services))), file, signal)
    // The header is no item.
    process.stdout.write(`${formatNumber(count - 1)} items exported.\n`)
    return exitCodes.done
  } catch (error) {
    return endInterrupted(error, signal, 'Nothing was written.')
  } finally {
    await close()
  }
}

async function* exportItems({ config, vault, now }: Services): AsyncGenerator<string> {
  const header: ExportHeader = {
    format: 'latchkey-table',
    version: 1,
    exported_at: new Date(now()).toISOString(),
  }
  yield `${JSON.stringify(header)}\n`
  const scan = openTableScan({ tableName: config.tableName, endpoint: config.dynamodbEndpoint })
  let next: ScanPage['next']
  do {
    const start = next
    const page = await retryThrottled(() => scan.readPage({ number: 0, count: 1 }, start, itemsPerPage))
    const kept = page.items.filter(isExported)
    const plain = await Promise.all(kept.map((item) => mapSecrets(item, vault.decrypt)))
    for (const item of plain) yield writeItemLine(item)
    next = page.next
  } while (next)
}

const itemsPerPage = 100

/** Anyone with the file has the service, so the audit log records it before the first line. */
const auditExport = (services: Services): Promise<void> =>
  writeAudit(
    services,
    {
      address: 'command line',
      userAgent: '',
      requestId: `export-${randomUUID()}`,
      actor: null,
      at: services.now(),
    },
    'users.exported',
    {},
  )
