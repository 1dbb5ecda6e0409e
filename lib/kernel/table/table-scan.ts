import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Key } from './keys/keys.ts'
import { createTableCalls, type TableOptions } from './table-calls.ts'
import type { ClientOptions } from './table-client.ts'
import type { Item } from './transaction.ts'

/** A part of a table that is read on its own. The parts together are the whole table. */
export interface Segment {
  readonly number: number
  readonly count: number
}

export interface ScanPage {
  readonly items: readonly Item[]
  /** Where the next page begins. Undefined after the last page. */
  readonly next: Key | undefined
}

/** Reads all items of a table. No function of the service does that: it is for the commands of operators. */
export interface TableScan {
  /** Reads up to `limit` items of a segment, from `start` on. */
  readPage(segment: Segment, start: Key | undefined, limit: number): Promise<ScanPage>
}

export const openTableScan = (options: TableOptions): TableScan => {
  const client = createDocumentClient(options)
  const { named, send } = createTableCalls(options)
  return {
    readPage: async ({ number, count }, start, limit) => {
      const input = {
        ...named,
        ...(count > 1 ? { Segment: number, TotalSegments: count } : {}),
        ...(start ? { ExclusiveStartKey: { ...start } } : {}),
        Limit: limit,
        ConsistentRead: true,
      }
      const { Items = [], LastEvaluatedKey } = await send(() => client.send(new ScanCommand(input)))
      return { items: Items as Item[], next: LastEvaluatedKey as Key | undefined }
    },
  }
}

/** Creates the SDK's client, for commands of operators. Requests of the service use `TableClient`, which costs less. */
const createDocumentClient = ({ endpoint }: ClientOptions): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      ...(endpoint ? { endpoint } : {}),
      maxAttempts: 4,
      requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  )
