import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { retry } from '../../core/retry.ts'
import { countCall } from './consumed-capacity.ts'
import { expressions, isAbsent, takeUpdate, type Update, updateExpression } from './expressions.ts'
import type { Key } from './keys.ts'
import { isEmptySpan, type PageQuery, pageInput } from './page-query.ts'
import { type Item, type Step, transactItem } from './transaction.ts'
import {
  ConditionFailed,
  getConsumedUnits,
  isTransient,
  mapError,
  mapTransactionError,
} from './transaction-errors.ts'

/**
 * The single table. Reads are strongly consistent. A call that another transaction got in the way of is made
 * again; an answer that was lost on the way neither repeats a conditional write nor makes it look failed.
 */
export interface Table {
  get(key: Key): Promise<Item | undefined>
  /** Reads up to 100 items in one call; the answer has their order, undefined for what isn't there. */
  getMany(keys: readonly Key[]): Promise<readonly (Item | undefined)[]>
  /** All items of a partition whose sort key begins with `prefix`. */
  list(pk: string, prefix: string): Promise<readonly Item[]>
  /** So many items of a partition, of the table or of the listing index, in order; of the index their keys alone. */
  page(query: PageQuery): Promise<readonly Item[]>
  /** Writes an item that may or may not be there. */
  put(item: Item): Promise<void>
  /** Puts an item where none is, or only an expired one. @throws ConditionFailed */
  reserve(item: Item): Promise<void>
  /** Changes an item in one conditional write and returns it as it is then. @throws ConditionFailed */
  update(key: Key, changes: Update): Promise<Item>
  /**
   * Uses up a one-time item: of any number of takers one gets it, the others get undefined, as do all once it
   * expired. It is marked rather than deleted, so that a taker whose answer got lost still wins when it asks again.
   */
  take(key: Key, nowSeconds: number): Promise<Item | undefined>
  /** @throws the error of the first failing step that has one (`orElse`), or else ConditionFailed. */
  transact(steps: readonly Step[]): Promise<void>
  /** The next id of a counter: one above the last, never the same twice. Of several in a row, the last one. */
  next(key: Key, count?: number): Promise<number>
}

export interface TableOptions {
  readonly tableName: string
  readonly endpoint?: string | undefined
}

const backOff = { attempts: 13, baseMs: 5, capMs: 200 } as const

export const openTable = ({ tableName, endpoint }: TableOptions): Table => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...(endpoint ? { endpoint } : {}),
      maxAttempts: 4,
      requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  )
  const named = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const

  const callOnce = async <Output extends object>(call: () => Promise<Output>): Promise<Output> => {
    const answered = countCall()
    let units = 0
    try {
      const output = await call()
      units = getConsumedUnits(output)
      return output
    } finally {
      answered(units)
    }
  }

  const send = <Output extends object>(
    call: () => Promise<Output>,
    toError: (error: unknown) => unknown = mapError,
  ): Promise<Output> =>
    retry(() => callOnce(call), { ...backOff, isRetryable: isTransient }).catch((error: unknown) => {
      throw toError(error)
    })

  const get = async (key: Key): Promise<Item | undefined> => {
    const output = await send(() => client.send(new GetCommand({ ...named, Key: key, ConsistentRead: true })))
    return output.Item as Item | undefined
  }

  const change = async (key: Key, changes: Update): Promise<Item> => {
    const x = expressions()
    const clauses = changes(x)
    const attempt = randomUUID()
    const [path, own] = [x.path('attempt'), x.value(attempt)]
    // Not even what has no condition of its own may happen twice, because its answer got lost and the SDK asks again.
    const isFirst = `(attribute_not_exists(${path}) OR ${path} <> ${own})`
    const input = {
      ...named,
      Key: key,
      UpdateExpression: updateExpression({ ...clauses, set: [...(clauses.set ?? []), `${path} = ${own}`] }),
      ConditionExpression: clauses.condition ? `(${clauses.condition}) AND ${isFirst}` : isFirst,
      ...x.attributes(),
      ReturnValues: 'ALL_NEW',
    } as const
    try {
      const output = await send(() => client.send(new UpdateCommand(input)))
      return output.Attributes as Item
    } catch (error) {
      const isOurs = error instanceof ConditionFailed && error.wasRepeated
      const item = isOurs ? await get(key) : undefined
      if (item?.['attempt'] === attempt) return item
      throw error
    }
  }

  return {
    get,

    getMany: async (keys) => {
      const found = new Map<string, Item>()
      let remaining: Record<string, unknown>[] = distinct(keys)
      const readRemaining = async (): Promise<void> => {
        const request = { [tableName]: { Keys: remaining, ConsistentRead: true } }
        const output = await send(() =>
          client.send(new BatchGetCommand({ RequestItems: request, ReturnConsumedCapacity: 'TOTAL' })),
        )
        for (const item of (output.Responses?.[tableName] ?? []) as Item[]) found.set(nameOf(item), item)
        remaining = output.UnprocessedKeys?.[tableName]?.Keys ?? []
        if (remaining.length > 0) throw new UnprocessedKeys()
      }
      const isRetryable = (error: unknown): boolean => error instanceof UnprocessedKeys
      if (remaining.length > 0) await retry(readRemaining, { ...backOff, isRetryable })
      return keys.map((key) => found.get(nameOf(key)))
    },

    list: async (pk, prefix) => {
      const items: Item[] = []
      let from: Record<string, unknown> | undefined
      do {
        const x = expressions()
        // The table refuses to be asked for what begins with nothing.
        const begins = prefix === '' ? '' : ` AND begins_with(${x.path('sk')}, ${x.value(prefix)})`
        const condition = `${x.path('pk')} = ${x.value(pk)}${begins}`
        const start = from ? { ExclusiveStartKey: from } : {}
        const output = await send(() =>
          client.send(
            new QueryCommand({
              ...named,
              KeyConditionExpression: condition,
              ...x.attributes(),
              ConsistentRead: true,
              ...start,
            }),
          ),
        )
        items.push(...((output.Items ?? []) as Item[]))
        from = output.LastEvaluatedKey
      } while (from)
      return items
    },

    page: async (query) => {
      const items: Item[] = []
      let from: Record<string, unknown> | undefined
      if (isEmptySpan(query)) return items
      do {
        const input = { ...named, ...pageInput(query, query.limit - items.length), ExclusiveStartKey: from }
        const output = await send(() => client.send(new QueryCommand(input)))
        items.push(...((output.Items ?? []) as Item[]))
        from = output.LastEvaluatedKey
      } while (from && items.length < query.limit)
      return items
    },

    put: async (item) => {
      await send(() => client.send(new PutCommand({ ...named, Item: item })))
    },

    reserve: async (item) => {
      const x = expressions()
      const attempt = randomUUID()
      const condition = [
        isAbsent(x),
        `${x.path('expires_at')} <= ${x.value(Math.floor(Date.now() / 1000))}`,
        `${x.path('attempt')} = ${x.value(attempt)}`,
      ].join(' OR ')
      await send(() =>
        client.send(
          new PutCommand({
            ...named,
            Item: { ...item, attempt },
            ConditionExpression: condition,
            ...x.attributes(),
          }),
        ),
      )
    },

    update: change,

    take: async (key, nowSeconds) => {
      try {
        return await change(key, takeUpdate(nowSeconds))
      } catch (error) {
        if (error instanceof ConditionFailed) return undefined
        throw error
      }
    },

    transact: async (steps) => {
      const token = randomUUID()
      const input: TransactWriteCommandInput = {
        TransactItems: steps.map((step) => transactItem(tableName, step)),
        ClientRequestToken: token,
        ReturnConsumedCapacity: 'TOTAL',
      }
      await send(
        () => client.send(new TransactWriteCommand(input)),
        (error) => mapTransactionError(error, steps),
      )
    },

    next: async (key, count = 1) => {
      const x = expressions()
      const input = {
        ...named,
        Key: key,
        UpdateExpression: `ADD ${x.path('last')} ${x.value(count)}`,
        ...x.attributes(),
        ReturnValues: 'UPDATED_NEW',
      } as const
      const output = await send(() => client.send(new UpdateCommand(input)))
      return Number(output.Attributes?.['last'])
    },
  }
}

/** DynamoDB read a part of a batch only, because the batch was too large or the load too high. */
class UnprocessedKeys extends Error {
  constructor() {
    super('DynamoDB left keys of a batch read unprocessed')
    this.name = 'UnprocessedKeys'
  }
}

/** A batch read that names one key twice is refused whole. */
const distinct = (keys: readonly Key[]): Record<string, unknown>[] => [
  ...new Map(keys.map(({ pk, sk }) => [nameOf({ pk, sk }), { pk, sk }])).values(),
]

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])
