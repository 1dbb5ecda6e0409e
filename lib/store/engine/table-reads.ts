import { BusyError } from '../../errors/errors.ts'
import { retry } from '../../util/retry.ts'
import { expressions } from './expressions.ts'
import type { Key } from './keys.ts'
import { buildPageInput, isEmptyRange } from './page-query.ts'
import type { TableReads } from './table.ts'
import { backOff, type TableCalls } from './table-calls.ts'
import type { Item } from './transaction.ts'

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

export const createTableReads = ({ client, tableName, named, send }: TableCalls): TableReads => {
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
class UnprocessedKeys extends BusyError {
  constructor() {
    super('DynamoDB left keys of a batch read unprocessed')
  }
}

/** DynamoDB rejects a batch read that contains a key twice. */
const removeDuplicates = (keys: readonly Key[]): readonly Key[] => [
  ...new Map(keys.map(({ pk, sk }) => [formatKey({ pk, sk }), { pk, sk }])).values(),
]

const formatKey = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])
