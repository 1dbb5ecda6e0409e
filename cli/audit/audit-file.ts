import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { readStatement } from '../../lib/features/audit/chain/statement.ts'
import { longestRetentionMs } from '../../lib/features/audit/chain/verify.ts'
import {
  chainHeadCodec,
  findHeadItem,
  readBlockItems,
  readCheckpointItems,
} from '../../lib/features/audit/chain.records.ts'
import { readShardPages } from '../../lib/features/audit/shard-events.records.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import type { PageQuery, TableReads } from '../../lib/kernel/table/table.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { CommandFailure, codeOf } from '../../local/command-failure.ts'
import { writeNewFile } from '../input.ts'
import { retryThrottled } from '../pool.ts'

/*
 * A file with everything that proves the audit log: checkpoints, heads, blocks and events as the table stores them, each as a line of
 * JSON. `verify --file` reads it, or a folder of the archive, as if it were the table.
 */

const pageSize = 1000

/**
 * All items of the audit log. Checkpoints come first, then each chain from its head on, so that a file contains everything that its
 * checkpoints and heads name, although the service writes more at the same time.
 */
export async function* readAuditItems(table: TableReads, nowMs: number): AsyncGenerator<Item> {
  const checkpoints = await retryThrottled(() => readCheckpointItems(table))
  yield* checkpoints
  const statements = checkpoints.map(({ statement }) => readStatement(String(statement)))
  const retentionMs = longestRetentionMs(statements.filter((statement) => statement !== undefined))
  const to = new Date(nowMs).toISOString()
  const patient = { ...table, page: (query: PageQuery) => retryThrottled(() => table.page(query)) }
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
    const after = new Date(nowMs - retentionMs - 1000).toISOString()
    for await (const events of readShardPages(patient, shard, { after, to }, pageSize)) yield* events
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

export interface OpenAuditFile {
  /** It cannot be written. */
  readonly table: TableReads
  /** Whether it is a folder with objects of the archive. */
  readonly isArchive: boolean
}

/** Reads a file of `export`, or a folder of the archive, as a table. @throws CommandFailure if it is neither */
export const openAuditFile = async (path: string): Promise<OpenAuditFile> => {
  const partitions = new Map<string, Map<string, Item>>()
  const readOnce = async (file: string): Promise<void> => {
    let line = 0
    const input = createReadStream(file)
    const text = file.endsWith('.gz') ? input.compose(createGunzip()) : input
    for await (const row of createInterface({ input: text, crlfDelay: Infinity })) {
      line += 1
      const item = parseItem(row)
      if (!item) throw new CommandFailure(`Line ${line} of ${file} is not an item of an audit log.`)
      const known = partitions.get(item.pk) ?? new Map<string, Item>()
      const same = known.get(item.sk)
      // An archive can have an item twice. Two that differ would let the order of files decide.
      if (same && !isDeepStrictEqual(same, item))
        throw new CommandFailure(`Line ${line} of ${file} differs from another line with the same item.`)
      partitions.set(item.pk, known.set(item.sk, item))
    }
  }
  try {
    const isArchive = (await stat(path)).isDirectory()
    const files = isArchive
      ? (await readdir(path, { recursive: true })).filter((name) => /\.jsonl(\.gz)?$/.test(name)).sort()
      : ['']
    for (const file of files) await readOnce(join(path, file))
    return { table: createReads(sortItems(partitions)), isArchive }
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${path} cannot be read (${codeOf(error)}).`)
  }
}

const sortItems = (partitions: ReadonlyMap<string, ReadonlyMap<string, Item>>) =>
  new Map([...partitions].map(([pk, items]) => [pk, [...items.values()].sort((a, b) => compare(a.sk, b.sk))]))

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
