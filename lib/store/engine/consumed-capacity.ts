import { AsyncLocalStorage } from 'node:async_hooks'

/** The cost of a request at the table: calls, calls in sequence, and consumed capacity units. */
export interface TableCost {
  calls: number
  roundTrips: number
  units: number
}

interface CostCounter extends TableCost {
  /** When the latest answer arrived. A call that starts after it is a round trip of its own. */
  lastAnswerAt: number
}

const counters = new AsyncLocalStorage<CostCounter>()

/** Runs `work` and counts its calls to the table. */
export const measureCost = <T>(work: () => Promise<T>): Promise<T> =>
  counters.run({ calls: 0, roundTrips: 0, units: 0, lastAnswerAt: 0 }, work)

/** The cost so far of the work that is being measured. */
export const getCurrentCost = (): TableCost | undefined => counters.getStore()

/** Counts a call. Call the returned function when it ends, with the capacity units from its answer. */
export const countCall = (): ((units: number) => void) => {
  const counter = counters.getStore()
  if (!counter) return () => {}
  counter.calls += 1
  if (performance.now() >= counter.lastAnswerAt) {
    counter.roundTrips += 1
    counter.lastAnswerAt = Number.POSITIVE_INFINITY
  }
  return (units) => {
    counter.units += units
    counter.lastAnswerAt = performance.now()
  }
}
