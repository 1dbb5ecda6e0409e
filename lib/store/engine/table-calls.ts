import { retry } from '../../core/retry.ts'
import { countCall } from './consumed-capacity.ts'
import { type ClientOptions, TableClient } from './table-client.ts'
import { getConsumedUnits, isTransient, mapError } from './transaction-errors.ts'

export interface TableOptions extends ClientOptions {
  readonly tableName: string
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
   * @throws what `toError` returns for the SDK's error of the last attempt: `BusyError` if something was still in the way.
   */
  readonly send: <Output extends object>(
    call: () => Promise<Output>,
    toError?: (error: unknown) => unknown,
  ) => Promise<Output>
}

/** Enough for a hundred concurrent transactions on one item: each of them takes about 10 ms while all others wait. */
export const backOff = { attempts: 24, baseMs: 5, capMs: 200 } as const

export const createTableCalls = ({ tableName, ...options }: TableOptions): TableCalls => ({
  client: new TableClient(options),
  tableName,
  named: { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' },
  send: (call, toError = mapError) =>
    retry(() => callOnce(call), { ...backOff, isRetryable: isTransient }).catch((error: unknown) => {
      throw toError(error)
    }),
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
