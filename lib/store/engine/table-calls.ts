import { BusyError } from '../../errors/errors.ts'
import { retry } from '../../util/retry.ts'
import { countCall } from './consumed-capacity.ts'
import { type ClientOptions, TableClient, TableError } from './table-client.ts'
import { getConsumedUnits, type Item, isTransient, mapError } from './transaction.ts'

export interface TableOptions extends ClientOptions {
  readonly tableName: string
  /** Receives the reason why a list left an item out. It names the kind and contains no stored value. */
  readonly reportUnreadable?: (error: Error) => void
  /** Completes an item that is put, such as by when it expires. */
  readonly complete?: (item: Item) => Item
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
   *   earlier attempt may have been committed. It also receives whether any attempt had no answer, because that one may
   *   have been committed.
   */
  readonly send: <Output extends object>(
    call: () => Promise<Output>,
    toError?: (error: unknown, wasRepeated: boolean) => unknown,
  ) => Promise<Output>
}

/** Enough for a hundred concurrent transactions on one item: each of them takes about 10 ms while all others wait. */
export const backOff = { attempts: 24, baseMs: 5, capMs: 200 } as const

export const createTableCalls = ({ tableName, ...options }: TableOptions): TableCalls => ({
  client: new TableClient(options),
  tableName,
  named: { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' },
  send: async (call, toError = mapError) => {
    let wasRepeated = false
    let mayBeCommitted = false
    const attempt = () =>
      callOnce(call).catch((error: unknown) => {
        // A conflict can follow an attempt without an answer. The next attempt must not forget that one.
        wasRepeated ||= error instanceof TableError && error.attempts > 1
        mayBeCommitted ||= error instanceof TableError && error.mayBeCommitted
        throw error
      })
    return retry(attempt, { ...backOff, isRetryable: isTransient }).catch((error: unknown) => {
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
