import { AsyncLocalStorage } from 'node:async_hooks'
import { BusyError } from '../errors/errors.ts'
import { retry } from '../util/work.ts'
import type { Key } from './keys/keys.ts'
import { type CallOptions, type ClientOptions, TableClient, TableError } from './table-client.ts'
import { getConsumedUnits, type Item, isTransient, mapError } from './transaction.ts'

export interface TableOptions extends ClientOptions {
  readonly tableName: string
  /** Receives the reason why a list left an item out. It names the kind and contains no stored value. */
  readonly reportUnreadable?: (error: Error) => void
  /**
   * Completes an item that is put, such as by when it expires. `serverMs` is the time of the latest answer of DynamoDB, in epoch
   * milliseconds. It is missing before the first one, and with the embedded engine, which has the clock of the service.
   */
  readonly complete?: (item: Item, serverMs?: number) => Item
}

/** The connection to a table, and one way to make calls. */
export interface TableCalls {
  readonly client: TableClient
  readonly tableName: string
  /** The input that all calls for single items have in common. */
  readonly named: { readonly TableName: string; readonly ReturnConsumedCapacity: 'TOTAL' }
  /**
   * Makes a call, again if a transaction or the load got in the way, and counts its cost.
   *
   * @throws what `toError` returns for the error of the last attempt: a `BusyError` if something was still in the way, and no
   *   earlier attempt may have been committed
   */
  readonly send: <Output extends object>(
    call: () => Promise<Output>,
    options?: SendOptions,
  ) => Promise<Output>
}

interface SendOptions extends CallOptions {
  /** Also receives whether any attempt had no answer, because that one may have been committed. */
  readonly toError?: (error: unknown, wasRepeated: boolean) => unknown
}

/** Enough for a hundred concurrent transactions on one item: each of them takes about 10 ms while all others wait. */
export const backOff = { attempts: 24, baseMs: 5, capMs: 200 } as const

export const createTableCalls = ({ tableName, ...options }: TableOptions): TableCalls => ({
  client: new TableClient(options),
  tableName,
  named: { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' },
  send: async (call, { toError = mapError, isTriedOnce = false } = {}) => {
    let wasRepeated = false
    let mayBeCommitted = false
    const attempt = () =>
      callOnce(call).catch((error: unknown) => {
        // A conflict can follow an attempt without an answer. The next attempt must not forget that one.
        wasRepeated ||= error instanceof TableError && error.attempts > 1
        mayBeCommitted ||= error instanceof TableError && error.mayBeCommitted
        throw error
      })
    const isRetryable = (error: unknown) => !isTriedOnce && isTransient(error)
    return retry(attempt, { ...backOff, isRetryable }).catch((error: unknown) => {
      const known = toError(error, wasRepeated)
      // A `BusyError` promises that nothing was changed.
      throw mayBeCommitted && known instanceof BusyError ? error : known
    })
  },
})

const callOnce = async <Output extends object>(call: () => Promise<Output>): Promise<Output> => {
  const finish = countCall()
  let units = 0
  try {
    const output = await call()
    units = getConsumedUnits(output)
    return output
  } finally {
    finish(units)
  }
}

/** The cost of a request at the table: calls, calls in sequence, and consumed capacity units. */
interface TableCost {
  calls: number
  roundTrips: number
  units: number
  /** Whether a change that the request makes was committed: see `noteChange`. */
  hasChanged: boolean
}

interface CostCounter extends TableCost {
  /** When the latest answer arrived. A call that starts after it is a round trip of its own. */
  lastAnswerAt: number
}

const counters = new AsyncLocalStorage<CostCounter>()

/** Runs `work` and counts its calls to the table. */
export const measureCost = <T>(work: () => Promise<T>): Promise<T> =>
  counters.run({ calls: 0, roundTrips: 0, units: 0, hasChanged: false, lastAnswerAt: 0 }, work)

/** The cost so far of the work that is being measured. */
export const getCurrentCost = (): TableCost | undefined => counters.getStore()

/**
 * Notes that a part of what a request does was committed, so that a later refusal does not promise that nothing was changed.
 * A transaction with a step that `isChange` notes it, such as one with an audit event of a success. Counted attempts do not.
 */
export const noteChange = (): void => {
  const counter = counters.getStore()
  if (counter) counter.hasChanged = true
}

/** Counts a call. Call the returned function when it ends, with the capacity units from its answer. */
const countCall = (): ((units: number) => void) => {
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

/** Called with the key of an item that was put, also if the answer of the table was lost. */
type PutWatcher = (key: Key) => void

let watcher: PutWatcher | undefined

/** Reports all items that this process puts, like the stream of a table. Local engines have no usable stream. */
export const watchPuts = (watch: PutWatcher): void => {
  watcher = watch
}

/** Reports items after the call that put them. A failed call can have done the work as well. */
export const reportPuts = (keys: Iterable<Key | undefined>): void => {
  if (watcher) for (const key of keys) if (key) watcher(key)
}
