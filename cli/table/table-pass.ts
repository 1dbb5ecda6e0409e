import { join } from 'node:path'
import type { Services } from '../../lib/services.ts'
import { openTableScan } from '../../lib/store/engine/table-scan.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import { exitCodes } from '../command-failure.ts'
import { formatNumber } from '../progress.ts'
import { openTarget } from '../users/import-target.ts'
import type { PassArguments } from './command.ts'
import { runPass } from './run-pass.ts'
import { type Position, readState, removeState, writeState } from './state-file.ts'

const segments = 4
const itemsBetweenLines = 5000

/**
 * Handles all items of a table, at a limited rate. An interrupted run resumes where it stopped. Returns the exit code.
 * `description` is the command with its options, which an interrupted run must repeat. `begin` creates what handles the
 * items, and `summarize` the last lines of the output.
 */
export const passTable = async (
  { table, isDryRun, itemsPerSecond, folder }: PassArguments,
  { description, signal }: { readonly description: string; readonly signal: AbortSignal },
  {
    begin,
    summarize,
  }: {
    readonly begin: (services: Services, startedAt: number) => (item: Item) => Promise<void>
    readonly summarize: (items: number) => string
  },
): Promise<number> => {
  const { services, close } = await openTarget({ table, whenNew: 'fail' })
  try {
    const { tableName, dynamodbEndpoint: endpoint } = services.config
    const stateFile = join(
      folder,
      `.latchkey-${description.split(' ')[0]}-${tableName.replaceAll(/[^\w.-]/g, '-')}.json`,
    )
    // A dry run begins anew each time, because it leaves nothing behind.
    const saved = isDryRun ? undefined : readState(stateFile, description)
    const startedAt = saved?.startedAt ?? services.now()
    const positions: readonly Position[] = saved?.positions ?? Array.from({ length: segments }, () => ({}))
    if (saved) process.stderr.write('Resuming an interrupted run.\n')
    let [items, printed] = [0, 0]
    const isFinished = await runPass({
      scan: openTableScan({ tableName, endpoint }),
      positions,
      itemsPerSecond,
      signal,
      handle: begin(services, startedAt),
      onPage: (reached, count) => {
        items += count
        if (!isDryRun) writeState(stateFile, { command: description, startedAt, positions: reached })
        if (items - printed < itemsBetweenLines) return
        printed = items
        process.stderr.write(`${formatNumber(items)} items read\n`)
      },
    })
    process.stdout.write(summarize(items))
    if (!isFinished) {
      process.stdout.write('Interrupted. Run the same command again to resume.\n')
      return exitCodes.interrupted
    }
    removeState(stateFile)
    return exitCodes.done
  } finally {
    await close()
  }
}
