import { setTimeout as sleep } from 'node:timers/promises'
import type { TableScan } from '../../lib/store/engine/table-scan.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import { startPool } from '../pool.ts'
import { retryThrottled } from '../retry-throttled.ts'
import type { Position } from './state-file.ts'

export interface PassOptions {
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
  while (!positions[number]?.isDone && !signal.aborted) {
    const startedAt = performance.now()
    const start = positions[number]?.next
    const { items, next } = await retryThrottled(() => scan.readPage({ number, count }, start, limit))
    const pool = startPool(parallelItems)
    for (const item of items) await pool.add(() => retryThrottled(() => handle(item)))
    await pool.drain()
    positions[number] = next ? { next } : { isDone: true }
    onPage(positions, items.length)
    const pauseMs = (items.length / rate) * 1000 - (performance.now() - startedAt)
    if (next && pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}
