import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { readCallBody } from '../../lib/kernel/table/call-body.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { openInput } from '../input.ts'
import { retryThrottled, startPool } from '../pool.ts'
import { formatNumber } from '../progress.ts'
import { openTarget } from '../users/import-target.ts'
import type { TableCommand } from './command.ts'
import { mapSecrets, withoutCiphers } from './move-secrets.ts'
import { isExported } from './run-export.ts'

type ImportCommand = Extract<TableCommand, { name: 'import' }>

const parallelItems = 8

/**
 * Makes an empty service equal to the one of an export. Secrets are encrypted with the vault of this service. A second run
 * continues an interrupted one, or verifies that all is there. Returns the exit code.
 */
export const runImport = async (
  { table, file, isDryRun }: ImportCommand,
  signal: AbortSignal,
): Promise<number> => {
  const input = await openInput(file, 'json-lines')
  const { services, close } = await openTarget({ table, whenNew: isDryRun ? 'simulate' : 'create' })
  let [imported, present, line] = [0, 0, 0]
  const pool = startPool(parallelItems)
  const handle = async (item: Item) => {
    if (await retryThrottled(() => writeItem(services, item, isDryRun))) imported += 1
    else present += 1
  }
  try {
    for await (const text of createInterface({ input: Readable.from(input.chunks()) })) {
      if (signal.aborted) break
      line += 1
      if (line === 1) requireHeader(text)
      else if (text !== '') {
        const item = readItem(text, line)
        await pool.add(() => handle(item))
      }
    }
    if (line === 0) requireHeader('')
    await pool.drain()
    process.stdout.write(
      `${formatNumber(imported)} items ${isDryRun ? 'would be imported' : 'imported'}, ${formatNumber(present)} found.\n`,
    )
    if (!signal.aborted) return exitCodes.done
    process.stdout.write('Interrupted. Run the same command again to resume.\n')
    return exitCodes.interrupted
  } finally {
    // Writes that are under way still need the table.
    await pool.drain().catch(() => {})
    await input.close()
    await close()
  }
}

const requireHeader = (text: string): void => {
  const header = parse(text)
  if (header?.['format'] !== 'latchkey-table')
    throw new CommandFailure('This is not a file that table export wrote.')
  if (header['version'] !== 1)
    throw new CommandFailure('A later release wrote this file. Import it with that release.')
}

const readItem = (text: string, line: number): Item => {
  const { Item: item } = parse(text) ?? {}
  const isItem = (value: unknown): value is Item => {
    const { pk, sk } = (value ?? {}) as Partial<Item>
    return typeof pk === 'string' && typeof sk === 'string' && isExported({ pk, sk })
  }
  if (!isItem(item))
    throw new CommandFailure(`Line ${line} is no item of an export. The lines before it are imported.`)
  return item
}

const parse = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    return readCallBody(text)
  } catch {
    return undefined
  }
}

/** Returns false for an item that is there already. @throws CommandFailure if another one is in its place */
const writeItem = async ({ table, vault }: Services, item: Item, isDryRun: boolean): Promise<boolean> => {
  const { pk, sk } = item
  const existing = await table.get({ pk, sk })
  if (existing && !isDeepStrictEqual(withoutCiphers(existing), withoutCiphers(item)))
    throw new CommandFailure(
      'The service has other data already. Import into a new one, before its first start.',
    )
  if (existing) return false
  if (!isDryRun) await table.put(await mapSecrets(item, vault.encrypt))
  return true
}
