import { randomUUID } from 'node:crypto'
import { TableBusyError } from '../errors/errors.ts'
import { retry } from '../util/work.ts'
import { runEditCheck } from './edit-checks.ts'
import { expressions, isAbsent, takeUpdate, type Update, updateExpression } from './expressions.ts'
import { createIdBlocks } from './id-blocks.ts'
import type { Key } from './keys/keys.ts'
import { buildPageInput, isEmptyRange, type Table, type TableReads, type TableWrites } from './table.ts'
import {
  backOff,
  createTableCalls,
  noteChange,
  reportPuts,
  type TableCalls,
  type TableOptions,
} from './table-calls.ts'
import {
  ConditionFailed,
  type Item,
  mapTransactionError,
  mergeAdditions,
  toTransactItem,
} from './transaction.ts'

export const openTable = (options: TableOptions): Table => {
  const calls = createTableCalls(options)
  const reads = createTableReads(calls)
  const { reportUnreadable = () => undefined, complete = (item) => item } = options
  return { ...reads, ...createTableWrites(calls, reads, complete), reportUnreadable }
}

const once = { isTriedOnce: true } as const

/*
 * The SDK repeats a call whose answer was lost. So each conditional write stores a random attempt ID with the item. If a
 * repeated call fails because of the ID that an earlier attempt stored, the write was committed.
 */

const createTableWrites = (
  { client, tableName, named, send }: TableCalls,
  { get }: CallReads,
  completeItem: NonNullable<TableOptions['complete']>,
): TableWrites => {
  const complete = (item: Item): Item => completeItem(item, client.serverTimeMs)
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

    tryUpdate: async (key, changes) => {
      const x = expressions()
      const { condition, ...clauses } = changes(x)
      const input = {
        ...named,
        Key: key,
        UpdateExpression: updateExpression(clauses),
        ...(condition ? { ConditionExpression: condition } : {}),
        ...x.attributes(),
      }
      await send(() => client.send('UpdateItem', input, once), once)
    },

    put: async (item) => {
      await send(() => client.send('PutItem', { ...named, Item: complete(item) })).finally(() =>
        reportPuts([item]),
      )
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

    take: async (key, nowSeconds, given) => {
      try {
        return await update(key, takeUpdate(nowSeconds, given))
      } catch (error) {
        if (error instanceof ConditionFailed) return undefined
        throw error
      }
    },

    transact: async (given, { recognizesOwnWrites = false } = {}) => {
      await runEditCheck(given)
      const steps = mergeAdditions(given)
      const input = {
        TransactItems: steps.map((step) =>
          toTransactItem(tableName, 'put' in step ? { ...step, put: complete(step.put) } : step),
        ),
        ...(recognizesOwnWrites ? {} : { ClientRequestToken: randomUUID() }),
        ReturnConsumedCapacity: 'TOTAL',
      } as const
      await send(() => client.send('TransactWriteItems', input), {
        toError: (error) => mapTransactionError(error, steps),
      }).finally(() => reportPuts(steps.map((step) => ('put' in step ? step.put : undefined))))
      if (steps.some(({ isChange }) => isChange)) noteChange()
    },

    nextIds: createIdBlocks(update),
  }
}

interface ItemOutput {
  readonly Item?: Item
}

interface QueryOutput {
  readonly Items?: readonly Item[]
  readonly LastEvaluatedKey?: Record<string, unknown>
}

interface BatchOutput {
  readonly Responses?: Readonly<Record<string, readonly Item[]>>
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys: readonly Key[] }>>
}

/** The reads that make calls. */
type CallReads = Omit<TableReads, 'reportUnreadable'>

const createTableReads = ({ client, tableName, named, send }: TableCalls): CallReads => {
  /** Reads up to `limit` items of a query, in as many calls as DynamoDB needs. */
  const query = async (buildInput: (missing: number) => object, limit: number): Promise<readonly Item[]> => {
    const items: Item[] = []
    let start: Record<string, unknown> | undefined
    do {
      const input = { ...named, ...buildInput(limit - items.length), ExclusiveStartKey: start }
      const output = await send(() => client.send<QueryOutput>('Query', input))
      items.push(...(output.Items ?? []))
      start = output.LastEvaluatedKey
    } while (start && items.length < limit)
    return items
  }

  return {
    get: async (key) => {
      const input = { ...named, Key: key, ConsistentRead: true }
      const output = await send(() => client.send<ItemOutput>('GetItem', input))
      return output.Item
    },

    getMany: async (keys) => {
      const found = new Map<string, Item>()
      let remaining: readonly Key[] = removeDuplicates(keys)
      const readRemaining = async (): Promise<void> => {
        const request = { [tableName]: { Keys: remaining, ConsistentRead: true } }
        const output = await send(() =>
          client.send<BatchOutput>('BatchGetItem', {
            RequestItems: request,
            ReturnConsumedCapacity: 'TOTAL',
          }),
        )
        for (const item of output.Responses?.[tableName] ?? []) found.set(formatKey(item), item)
        remaining = output.UnprocessedKeys?.[tableName]?.Keys ?? []
        if (remaining.length > 0) throw new UnprocessedKeys()
      }
      const isRetryable = (error: unknown): boolean => error instanceof UnprocessedKeys
      if (remaining.length > 0) await retry(readRemaining, { ...backOff, isRetryable })
      return keys.map((key) => found.get(formatKey(key)))
    },

    list: (pk, prefix) => {
      const x = expressions()
      // DynamoDB rejects an empty prefix.
      const begins = prefix === '' ? '' : ` AND begins_with(${x.path('sk')}, ${x.value(prefix)})`
      const input = {
        KeyConditionExpression: `${x.path('pk')} = ${x.value(pk)}${begins}`,
        ...x.attributes(),
        ConsistentRead: true,
      }
      return query(() => input, Number.POSITIVE_INFINITY)
    },

    page: async (request) =>
      isEmptyRange(request) ? [] : query((missing) => buildPageInput(request, missing), request.limit),
  }
}

/** DynamoDB processed only a part of a batch, because the batch was too large or the load too high. */
class UnprocessedKeys extends TableBusyError {
  constructor() {
    super('DynamoDB left keys of a batch read unprocessed')
  }
}

/** DynamoDB rejects a batch read that contains a key twice. */
const removeDuplicates = (keys: readonly Key[]): readonly Key[] => [
  ...new Map(keys.map(({ pk, sk }) => [formatKey({ pk, sk }), { pk, sk }])).values(),
]

const formatKey = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])
