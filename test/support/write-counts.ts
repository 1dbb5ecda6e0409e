import { vi } from 'vitest'
import type { Key } from '../../lib/kernel/table/keys/keys.ts'
import { TableClient } from '../../lib/kernel/table/table-client.ts'
import type { JsonValue } from './client.ts'

/** Counts writes for each partition key of the tables of this process and of their listing index. */
export interface WriteCounts {
  /** The counts since the last call of this function, largest first. */
  readonly take: () => readonly PartitionCount[]
  readonly stop: () => void
}

export interface PartitionCount {
  /** A partition key. Those of the index begin with `listing:`. */
  readonly partition: string
  readonly writes: number
}

interface Write {
  readonly pk: string
  readonly sk: string
  /** The index entry after the write. Undefined if the write keeps the entry as it was, null for none. */
  readonly entry: IndexEntry | null | undefined
}

interface IndexEntry {
  readonly lpk: string
  readonly lsk: string
}

/**
 * Counts from now on. Each write of an item counts, and each step of a transaction, a check as well. DynamoDB bills and
 * limits them like this. The index has only keys. So it is written when an entry appears, moves or vanishes, not when an
 * item changes. Start it before the table has items.
 */
export const countWrites = (): WriteCounts => {
  const entries = new Map<string, IndexEntry>()
  let counts = new Map<string, number>()
  const add = (partition: string) => counts.set(partition, (counts.get(partition) ?? 0) + 1)
  const moveEntry = ({ pk, sk, entry }: Write) => {
    if (entry === undefined) return
    const key = JSON.stringify([pk, sk])
    const before = entries.get(key)
    if (before?.lpk === entry?.lpk && before?.lsk === entry?.lsk) return
    if (before) add(`listing:${before.lpk}`)
    if (entry) add(`listing:${entry.lpk}`)
    if (entry) entries.set(key, entry)
    else entries.delete(key)
  }
  const { send } = TableClient.prototype
  const spy = vi.spyOn(TableClient.prototype, 'send')
  spy.mockImplementation(async function (this: TableClient, action, input: JsonValue) {
    const writes = readWrites(action, input)
    for (const { pk } of writes) add(pk)
    const output: JsonValue = await Reflect.apply(send, this, [action, input])
    writes.forEach(moveEntry)
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
  return [`${input.IndexName ? 'listing:' : ''}${input.ExpressionAttributeValues[value]}`]
}

const reads = ['GetItem', 'BatchGetItem', 'Query']
/** What creates a table. A deployment does this without the service. */
const definitions = ['CreateTable', 'DescribeTable', 'DescribeTimeToLive', 'UpdateTimeToLive']
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
  const { pk, sk, lpk, lsk } = Item ?? Key
  if (name === 'ConditionCheck') return { pk, sk, entry: undefined }
  if (name === 'Put') return { pk, sk, entry: lpk && lsk ? { lpk, lsk } : null }
  if (name === 'Delete') return { pk, sk, entry: null }
  if (!Object.values(ExpressionAttributeNames ?? {}).includes('lpk')) return { pk, sk, entry: undefined }
  if (!/REMOVE/.test(UpdateExpression)) throw new Error('an update sets an index key')
  return { pk, sk, entry: null }
}
