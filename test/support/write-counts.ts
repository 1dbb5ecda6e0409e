import { vi } from 'vitest'
import type { Key } from '../../lib/kernel/table/keys/keys.ts'
import { type IndexName, indexNames, keyNamesOf } from '../../lib/kernel/table/table.ts'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import type { JsonValue } from './client.ts'

/** Counts writes for each partition key of the tables of this process and of their indexes. */
export interface WriteCounts {
  /** The counts since the last call of this function, largest first. */
  readonly take: () => readonly PartitionCount[]
  readonly stop: () => void
}

export interface PartitionCount {
  /** A partition key. Those of an index begin with its name and a colon. */
  readonly partition: string
  readonly writes: number
}

interface Write {
  readonly pk: string
  readonly sk: string
  /** The index entries after the write. Undefined if the write keeps them as they were. */
  readonly entries: IndexEntries | undefined
}

/** The partition and the sort key in each index that has the item, as one text each. */
type IndexEntries = ReadonlyMap<IndexName, IndexEntry>

interface IndexEntry {
  readonly partition: string
  readonly sortKey: string
}

/**
 * Counts from now on. Each write of an item counts, and each step of a transaction, a check as well. DynamoDB bills and
 * limits them like this. The indexes have only keys. So they are written when an entry appears, moves or vanishes, not when
 * an item changes. Start it before the table has items.
 */
export const countWrites = (): WriteCounts => {
  const stored = new Map<string, IndexEntries>()
  let counts = new Map<string, number>()
  const add = (partition: string) => counts.set(partition, (counts.get(partition) ?? 0) + 1)
  const moveEntries = ({ pk, sk, entries }: Write) => {
    if (entries === undefined) return
    const key = JSON.stringify([pk, sk])
    for (const index of indexNames) {
      const [before, after] = [stored.get(key)?.get(index), entries.get(index)]
      if (before?.partition === after?.partition && before?.sortKey === after?.sortKey) continue
      if (before) add(`${index}:${before.partition}`)
      if (after) add(`${index}:${after.partition}`)
    }
    if (entries.size > 0) stored.set(key, entries)
    else stored.delete(key)
  }
  const { send } = TableClient.prototype
  const spy = vi.spyOn(TableClient.prototype, 'send')
  spy.mockImplementation(async function (this: TableClient, action, input: JsonValue) {
    const writes = readWrites(action, input)
    for (const { pk } of writes) add(pk)
    const output: JsonValue = await Reflect.apply(send, this, [action, input])
    writes.forEach(moveEntries)
    return output
  })
  return {
    take: () => {
      const taken = counts
      counts = new Map()
      return [...taken]
        .map(([partition, writes]) => ({ partition, writes }))
        .sort((a, b) => b.writes - a.writes)
    },
    stop: () => spy.mockRestore(),
  }
}

/** Reads for each partition key, and for each partition of the index. */
export interface ReadCounts {
  readonly take: () => readonly { readonly partition: string; readonly reads: number }[]
  readonly stop: () => void
}

/** Counts reads from now on. Each item that a call names counts once, and each query. */
export const countReads = (): ReadCounts => {
  let counts = new Map<string, number>()
  const { send } = TableClient.prototype
  const spy = vi.spyOn(TableClient.prototype, 'send')
  spy.mockImplementation(async function (this: TableClient, action, input: JsonValue) {
    for (const partition of listRead(action, input)) counts.set(partition, (counts.get(partition) ?? 0) + 1)
    return await Reflect.apply(send, this, [action, input])
  })
  return {
    take: () => {
      const taken = counts
      counts = new Map()
      return [...taken]
        .map(([partition, count]) => ({ partition, reads: count }))
        .sort((a, b) => b.reads - a.reads)
    },
    stop: () => spy.mockRestore(),
  }
}

const listRead = (action: string, input: JsonValue): readonly string[] => {
  if (action === 'GetItem') return [input.Key.pk]
  if (action === 'BatchGetItem')
    return Object.values<JsonValue>(input.RequestItems).flatMap(({ Keys }) => Keys.map(({ pk }: Key) => pk))
  if (action !== 'Query') return []
  const [, value = ''] = /^\S+ = (\S+)/.exec(input.KeyConditionExpression) ?? []
  return [`${input.IndexName ? `${input.IndexName}:` : ''}${input.ExpressionAttributeValues[value]}`]
}

const reads = ['GetItem', 'BatchGetItem', 'Query']
/** What creates a table. A deployment does this without the service. */
const definitions = ['CreateTable', 'UpdateTable', 'DescribeTable', 'DescribeTimeToLive', 'UpdateTimeToLive']
const uncounted: ReadonlySet<string> = new Set([...reads, ...definitions])
/** How the calls for one item are named as steps of a transaction. */
const stepNames: Readonly<Record<string, string>> = { PutItem: 'Put', UpdateItem: 'Update' }

const readWrites = (action: string, input: JsonValue): readonly Write[] => {
  if (uncounted.has(action)) return []
  if (action === 'TransactWriteItems') {
    const steps: readonly Readonly<Record<string, JsonValue>>[] = input.TransactItems
    return steps.flatMap((step) => Object.entries(step).map(([name, fields]) => readWrite(name, fields)))
  }
  const name = stepNames[action]
  if (!name) throw new Error(`writes of ${action} are not counted`)
  return [readWrite(name, input)]
}

const readWrite = (
  name: string,
  { Key, Item, UpdateExpression, ExpressionAttributeNames }: JsonValue,
): Write => {
  const { pk, sk } = Item ?? Key
  if (name === 'ConditionCheck') return { pk, sk, entries: undefined }
  if (name === 'Put') return { pk, sk, entries: readEntries(Item) }
  if (name === 'Delete') return { pk, sk, entries: new Map() }
  if (!Object.values<string>(ExpressionAttributeNames ?? {}).some((one) => indexKeys.has(one)))
    return { pk, sk, entries: undefined }
  if (!/REMOVE/.test(UpdateExpression)) throw new Error('an update sets an index key')
  return { pk, sk, entries: new Map() }
}

const indexKeys: ReadonlySet<string> = new Set(indexNames.map((index) => keyNamesOf(index).partitionKey))

const readEntries = (item: JsonValue): IndexEntries =>
  new Map(
    indexNames.flatMap((index) => {
      const { partitionKey, sortKey } = keyNamesOf(index)
      const [partition, key] = [item[partitionKey], item[sortKey]]
      return partition && key ? [[index, { partition, sortKey: key }] as const] : []
    }),
  )
