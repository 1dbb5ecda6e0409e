import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTableScan, type ScanPage, type TableScan } from '../../lib/kernel/table/table-scan.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure, codeOf } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { retryThrottled, startPool } from '../pool.ts'
import { formatNumber } from '../progress.ts'
import { openTarget } from '../users/import-target.ts'
import type { PassArguments } from './command.ts'

/** Where a segment of the table continues. Keys can contain usernames and addresses. */
export interface Position {
  readonly next?: { readonly pk: string; readonly sk: string } | undefined
  readonly isDone?: boolean
}

/** How far a command got, so that an interrupted one resumes. */
interface SavedState {
  /** The command with its options. Another one must not continue the positions. */
  readonly command: string
  /** Epoch milliseconds of the first run. */
  readonly startedAt: number
  readonly positions: readonly Position[]
}

/** The state of an earlier run of the same command, if it was interrupted. @throws CommandFailure */
const readState = (path: string, command: string): SavedState | undefined => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}).`)
  }
  const state: SavedState = JSON.parse(text)
  if (state.command !== command)
    throw new CommandFailure(
      `${path} belongs to another command: ${state.command}. Finish that one, or delete the file.`,
    )
  return state
}

/** Replaces the file at once, so that an interruption leaves a whole one. Only the owner can read it. */
const writeState = (path: string, state: SavedState): void => {
  writeFileSync(`${path}.part`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${path}.part`, path)
}

const removeState = (path: string): void => rmSync(path, { force: true })

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

interface PassOptions {
  readonly scan: TableScan
  /** Where each segment begins. Their number is the number of segments that are read in parallel. */
  readonly positions: readonly Position[]
  /** The most items that are read in a second, so that the service keeps its capacity. */
  readonly itemsPerSecond: number
  readonly signal: AbortSignal
  readonly handle: (item: Item) => Promise<void>
  /** Called after each page, when all of its items were handled. */
  readonly onPage: (positions: readonly Position[], items: number) => void
}

const largestPage = 100
const parallelItems = 8

/** Handles each item of a table once. Returns false if it was interrupted. @throws the first error of `handle` */
export const runPass = async (options: PassOptions): Promise<boolean> => {
  const positions = [...options.positions]
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const segments = positions.map(async (_, number) => {
    try {
      await passSegment({ ...options, signal }, positions, number)
    } catch (error) {
      stop.abort()
      throw error
    }
  })
  const results = await Promise.allSettled(segments)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return positions.every(({ isDone }) => isDone)
}

const passSegment = async (
  { scan, itemsPerSecond, signal, handle, onPage }: PassOptions,
  positions: Position[],
  number: number,
): Promise<void> => {
  const count = positions.length
  const rate = Math.max(1, itemsPerSecond / count)
  const limit = Math.min(largestPage, Math.ceil(rate))
  const read = (start: Position['next']): Promise<ScanPage> =>
    retryThrottled(() => scan.readPage({ number, count }, start, limit))
  const handleAll = async (items: readonly Item[]): Promise<void> => {
    const pool = startPool(parallelItems)
    for (const item of items) await pool.add(() => retryThrottled(() => handle(item)))
    await pool.drain()
  }
  let page: ScanPage | undefined
  while (!positions[number]?.isDone && !signal.aborted) {
    const startedAt = performance.now()
    const { items, next }: ScanPage = page ?? (await read(positions[number]?.next))
    await handleAll(items.slice(0, -1))
    // Engines for local use continue only after an item that exists, and the last one may be deleted.
    page = next && !signal.aborted ? await read(next) : undefined
    await handleAll(items.slice(-1))
    positions[number] = next ? { next } : { isDone: true }
    onPage(positions, items.length)
    const pauseMs = (items.length / rate) * 1000 - (performance.now() - startedAt)
    if (next && pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}
