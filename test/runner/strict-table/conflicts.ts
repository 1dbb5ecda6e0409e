import type { TableCall } from '../../infra/dynamodb-proxy.ts'
import type { StubAnswer } from '../../infra/stub-server.ts'
import type { JsonValue } from '../../support/client.ts'
import { cancellation, serviceError } from './refusals.ts'

const message = 'Transaction is ongoing for the item'

const nameOf = (TableName: string, { pk, sk }: JsonValue): string => JSON.stringify([TableName, pk, sk])

/** The items of a transaction, or of a single write. Reads outside of transactions never conflict. */
const listItems = ({ action, input }: TableCall): readonly string[] => {
  if (action.startsWith('Transact'))
    return input.TransactItems.flatMap((item: JsonValue) =>
      Object.values<JsonValue>(item).map(({ TableName, Key, Item }) => nameOf(TableName, Key ?? Item)),
    )
  return ['PutItem', 'UpdateItem', 'DeleteItem'].includes(action)
    ? [nameOf(input.TableName, input.Key ?? input.Item)]
    : []
}

/**
 * Refuses writes of items of an ongoing transaction, which DynamoDB does and the engine does not. `start`
 * returns a refusal, or a function to call at the end.
 */
export const createConflicts = () => {
  const ongoing = new Set<string>()
  return {
    start: (call: TableCall): StubAnswer | (() => void) => {
      const items = listItems(call)
      const isTransaction = call.action.startsWith('Transact')
      if (items.some((item) => ongoing.has(item))) {
        if (!isTransaction) return serviceError('TransactionConflictException', message)
        const codes = items.map((item) => (ongoing.has(item) ? 'TransactionConflict' : 'None'))
        return cancellation(codes, { TransactionConflict: message })
      }
      if (!isTransaction) return () => {}
      for (const item of items) ongoing.add(item)
      return () => {
        for (const item of items) ongoing.delete(item)
      }
    },
  }
}
