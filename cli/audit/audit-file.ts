import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import * as z from 'zod/mini'
import { auditRetentionMs } from '../../lib/limits/limits.ts'
import {
  chainHeadCodec,
  findHeadItem,
  readBlockItems,
  readCheckpointItems,
} from '../../lib/store/audit/chain.ts'
import { readShardEvents } from '../../lib/store/audit/shard-events.ts'
import type { PageQuery, TableReads } from '../../lib/store/engine/table.ts'
import type { Item } from '../../lib/store/engine/transaction.ts'
import { auditShards } from '../../lib/store/keys/audit-shards.ts'
import { CommandFailure, codeOf } from '../command-failure.ts'
import { writeNewFile } from '../new-file.ts'
import { retryThrottled } from '../retry-throttled.ts'

/*
 * A file with everything that proves the audit log: checkpoints, heads, blocks and events as the table stores them, each as a line of
 * JSON. `verify --file` reads it as if it were the table.
 */

const pageSize = 1000

/**
 * All items of the audit log. Checkpoints come first, then each chain from its head on, so that a file contains everything that its
 * checkpoints and heads name, although the service writes more at the same time.
 */
export async function* readAuditItems(table: TableReads, nowMs: number): AsyncGenerator<Item> {
  yield* await retryThrottled(() => readCheckpointItems(table))
  const to = new Date(nowMs).toISOString()
  for (const shard of auditShards) {
    const head = await retryThrottled(() => findHeadItem(table, shard))
    if (!head) continue
    yield head
    const last = chainHeadCodec.decode(head).number
    for await (const block of readBlockItems(table, shard, 1)) {
      if (Number(block['number']) > last) break
      yield block
    }
    // An event expires at a full second.
    for (let after = new Date(nowMs - auditRetentionMs - 1000).toISOString(); ; ) {
      const events = await retryThrottled(() => readShardEvents(table, shard, { after, to }, pageSize))
      yield* events
      const next = events.at(-1)
      if (!next || events.length < pageSize) break
      after = next.sk
    }
  }
}

/** Writes the items to a new file, and returns their number. @throws CommandFailure if there are none, and as `writeNewFile` does */
export const writeAuditFile = async (
  items: AsyncIterable<Item>,
  file: string,
  signal: AbortSignal,
): Promise<number> => {
  let count = 0
  async function* toLines() {
    for await (const item of items) {
      count += 1
      yield `${JSON.stringify(item)}\n`
    }
    if (count === 0) throw new CommandFailure('The table has no audit log yet.')
  }
  await writeNewFile(Readable.from(toLines()), file, signal)
  return count
}

const itemSchema = z.looseObject({ pk: z.string(), sk: z.string() })

/** Reads a file as a table, which cannot be written. @throws CommandFailure if it is not such a file. */
export const openAuditFile = async (file: string): Promise<TableReads> => {
  const partitions = new Map<string, Item[]>()
  let line = 0
  try {
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      line += 1
      const item = parseItem(text)
      if (!item) throw new CommandFailure(`Line ${line} of ${file} is not an item of an audit log.`)
      const known = partitions.get(item.pk)
      if (known) known.push(item)
      else partitions.set(item.pk, [item])
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${file} cannot be read (${codeOf(error)}).`)
  }
  for (const items of partitions.values()) items.sort((a, b) => compare(a.sk, b.sk))
  return createReads(partitions)
}

const parseItem = (text: string): Item | undefined => {
  try {
    const parsed = itemSchema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Compares as DynamoDB does. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const createReads = (partitions: ReadonlyMap<string, readonly Item[]>): TableReads => {
  const itemsOf = (pk: string) => partitions.get(pk) ?? []
  const get: TableReads['get'] = async ({ pk, sk }) => itemsOf(pk).find((item) => item.sk === sk)
  return {
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    list: async (pk, prefix) => itemsOf(pk).filter(({ sk }) => sk.startsWith(prefix)),
    page: async ({ pk, from, to, isDescending = false, limit }: PageQuery) => {
      const items = itemsOf(pk).filter(
        ({ sk }) =>
          (from === undefined || compare(sk, from) >= 0) && (to === undefined || compare(sk, to) <= 0),
      )
      return (isDescending ? items.reverse() : items).slice(0, limit)
    },
    reportUnreadable: () => {},
  }
}
