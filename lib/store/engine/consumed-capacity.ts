import { AsyncLocalStorage } from 'node:async_hooks'

/** What one request cost at the table: calls, calls that had to wait for one another, and capacity units. */
export interface TableCost {
  calls: number
  roundTrips: number
  units: number
}

interface Meter extends TableCost {
  /** When the latest answer came, in milliseconds; a call begun after it had to wait for it. */
  lastAnswerAt: number
}

const meters = new AsyncLocalStorage<Meter>()

/** Runs `work` and counts what it asks of the table. */
export const measureCost = <T>(work: () => Promise<T>): Promise<T> =>
  meters.run({ calls: 0, roundTrips: 0, units: 0, lastAnswerAt: 0 }, work)

/** What the work that is being measured has cost so far. */
export const getCurrentCost = (): TableCost | undefined => meters.getStore()

/** Counts one call, from now until the function it returns is called with the units that the answer names. */
export const countCall = (): ((units: number) => void) => {
  const meter = meters.getStore()
  if (!meter) return () => {}
  meter.calls += 1
  if (performance.now() >= meter.lastAnswerAt) {
    meter.roundTrips += 1
    meter.lastAnswerAt = Number.POSITIVE_INFINITY
  }
  return (units) => {
    meter.units += units
    meter.lastAnswerAt = performance.now()
  }
}
