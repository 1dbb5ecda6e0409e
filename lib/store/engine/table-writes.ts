import { randomUUID } from 'node:crypto'
import { expressions, isAbsent, takeUpdate, type Update, updateExpression } from './expressions.ts'
import { createIdBlocks } from './id-blocks.ts'
import type { Key } from './keys.ts'
import type { TableReads, TableWrites } from './table.ts'
import type { TableCalls } from './table-calls.ts'
import { type Item, toTransactItem } from './transaction.ts'
import { ConditionFailed, mapTransactionError } from './transaction-errors.ts'
import { reportPuts } from './watch-puts.ts'

/*
 * The SDK repeats a call whose answer was lost. So each conditional write stores a random attempt ID with the item. If a
 * repeated call fails because of the ID that an earlier attempt stored, the write was committed.
 */

export const createTableWrites = (
  { client, tableName, named, send }: TableCalls,
  { get }: TableReads,
): TableWrites => {
  const update = async (key: Key, changes: Update): Promise<Item> => {
    const x = expressions()
    const clauses = changes(x)
    const attempt = randomUUID()
    const [path, value] = [x.path('attempt'), x.value(attempt)]
    // An update without a condition must not be applied twice either.
    const isFirst = `(attribute_not_exists(${path}) OR ${path} <> ${value})`
    const input = {
      ...named,
      Key: key,
      UpdateExpression: updateExpression({ ...clauses, set: [...(clauses.set ?? []), `${path} = ${value}`] }),
      ConditionExpression: clauses.condition ? `(${clauses.condition}) AND ${isFirst}` : isFirst,
      ...x.attributes(),
      ReturnValues: 'ALL_NEW',
    } as const
    try {
      const output = await send(() => client.send<{ readonly Attributes: Item }>('UpdateItem', input))
      return output.Attributes
    } catch (error) {
      const mayBeCommitted = error instanceof ConditionFailed && error.wasRepeated
      const item = mayBeCommitted ? await get(key) : undefined
      if (item?.['attempt'] === attempt) return item
      throw error
    }
  }

  return {
    update,

    put: async (item) => {
      await send(() => client.send('PutItem', { ...named, Item: item })).finally(() => reportPuts([item]))
    },

    reserve: async (item) => {
      const x = expressions()
      const attempt = randomUUID()
      const condition = [
        isAbsent(x),
        `${x.path('expires_at')} <= ${x.value(Math.floor(Date.now() / 1000))}`,
        `${x.path('attempt')} = ${x.value(attempt)}`,
      ].join(' OR ')
      const input = {
        ...named,
        Item: { ...item, attempt },
        ConditionExpression: condition,
        ...x.attributes(),
      }
      await send(() => client.send('PutItem', input))
    },

    take: async (key, nowSeconds) => {
      try {
        return await update(key, takeUpdate(nowSeconds))
      } catch (error) {
        if (error instanceof ConditionFailed) return undefined
        throw error
      }
    },

    transact: async (steps, { recognizesOwnWrites = false } = {}) => {
      const input = {
        TransactItems: steps.map((step) => toTransactItem(tableName, step)),
        ...(recognizesOwnWrites ? {} : { ClientRequestToken: randomUUID() }),
        ReturnConsumedCapacity: 'TOTAL',
      } as const
      await send(
        () => client.send('TransactWriteItems', input),
        (error) => mapTransactionError(error, steps),
      ).finally(() => reportPuts(steps.map((step) => ('put' in step ? step.put : undefined))))
    },

    nextIds: createIdBlocks(update),
  }
}
