import { gzipSync } from 'node:zlib'
import { PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { auditArchivedPerRun, auditEventsPerObject, auditSignedLateMs } from '../../kernel/limits/limits.ts'
import { type AuditShard, auditShards } from '../../kernel/table/keys/audit-shards.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { day } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { type CheckpointStatement, readStatement } from './chain/statement.ts'
import {
  type ArchiveProgress,
  chainBlockCodec,
  findArchiveProgress,
  findCheckpointItem,
  readBlockItems,
  readCheckpointItems,
  storeArchiveProgress,
} from './chain.records.ts'
import { readShardPages, timeOf } from './shard-events.records.ts'

const client = new S3Client({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 20_000, throwOnRequestTimeout: true },
})

/**
 * Copies what checkpoints signed to a bucket: see `archiveLog`. It replaces no object, because a later run could find less: events
 * expire.
 */
export const archiveInBucket = (services: Services, bucket: string): Promise<void> =>
  archiveLog(services, async (name, content) => {
    const command = new PutObjectCommand({
      Bucket: bucket,
      Key: name,
      Body: content,
      ContentType: 'application/gzip',
      IfNoneMatch: '*',
    })
    try {
      await client.send(command)
    } catch (error) {
      if (!(error instanceof S3ServiceException && error.name === 'PreconditionFailed')) throw error
    }
  })

/** Writes an object, unless there is one with this name already. */
export type WriteObject = (name: string, content: Uint8Array) => Promise<void>

/**
 * Copies what checkpoints signed to objects of compressed JSON lines: the items of events and blocks, and last the checkpoint. The
 * next run continues one that ends early. Several runs may write an item twice, but never two different ones.
 */
export const archiveLog = async (services: Services, write: WriteObject): Promise<void> => {
  const { table } = services
  let progress = await findArchiveProgress(table)
  for (let count = 0; count < auditArchivedPerRun; count++) {
    const item = progress
      ? await findCheckpointItem(table, progress.checkpoint + 1)
      : await findFirst(services)
    if (!item) return
    progress = await archiveCheckpoint(table, { write, item, known: progress })
  }
}

/**
 * The checkpoint that the archive begins with: the oldest one after which no event has expired. So a verification can require
 * everything after it.
 */
const findFirst = async ({ table, now }: Services): Promise<Item | undefined> => {
  const items = await readCheckpointItems(table)
  const statements = items.map(requireStatement)
  const expired = statements.findLastIndex(({ retentionDays }, index) => {
    const previous = statements[index - 1]
    if (!previous) return false
    // The events are newer than the checkpoint before, except late ones.
    const days = Math.min(retentionDays, previous.retentionDays)
    return previous.at - auditSignedLateMs + days * day <= now()
  })
  return items[Math.max(0, expired)]
}

interface Archived {
  readonly write: WriteObject
  readonly item: Item
  /** What was archived before. Undefined for the first checkpoint, of which only itself is needed. */
  readonly known: ArchiveProgress | undefined
}

const archiveCheckpoint = async (
  table: Table,
  { write, item, known }: Archived,
): Promise<ArchiveProgress> => {
  const { number, at, chains } = requireStatement(item)
  const folder = new Date(at).toISOString().slice(0, 10).replaceAll('-', '/')
  const writePart = async (items: readonly Item[], name: string): Promise<void> => {
    const lines = items.map((one) => `${JSON.stringify(one)}\n`).join('')
    await write(`${folder}/checkpoint-${String(number).padStart(9, '0')}-${name}.jsonl.gz`, gzipSync(lines))
  }
  const blocks = new Map(known?.blocks.map((last, index) => [auditShards[index], last]))
  const listBlocks = () => auditShards.map((shard) => blocks.get(shard) ?? 0)
  let items: Item[] = []
  for (const { shard, number: last } of chains) {
    if (known)
      for await (const block of readBlockItems(table, shard, (blocks.get(shard) ?? 0) + 1)) {
        const { number: position, entries } = chainBlockCodec.decode(block)
        if (position > last) break
        items.push(block, ...(await readEvents(table, shard, entries)))
        blocks.set(shard, position)
        if (items.length < auditEventsPerObject) continue
        await writePart(items, `shard-${shard.padStart(2, '0')}-block-${position}`)
        items = []
        await storeArchiveProgress(table, { checkpoint: known.checkpoint, blocks: listBlocks() })
      }
    blocks.set(shard, last)
  }
  await writePart([...items, item], 'end')
  const done = { checkpoint: number, blocks: listBlocks() }
  await storeArchiveProgress(table, done)
  return done
}

/** @throws Error, so that the alarm for failed functions reports a checkpoint that cannot be read */
const requireStatement = (item: Item): CheckpointStatement => {
  const statement = readStatement(String(item['statement']))
  if (!statement) throw new Error(`The item ${item.sk} is no checkpoint.`)
  return statement
}

/** The events of a block. Other events can have times between theirs. */
const readEvents = async (
  table: Table,
  shard: AuditShard,
  entries: readonly string[],
): Promise<readonly Item[]> => {
  const names = new Set(entries.map((entry) => entry.split(' ')[0] ?? ''))
  const sorted = [...names].sort()
  const [first = '', to = ''] = [sorted[0], sorted.at(-1)]
  const events: Item[] = []
  // A range begins after a sort key.
  const after = new Date(timeOf(first) - 1).toISOString()
  for await (const page of readShardPages(table, shard, { after, to }, eventsPerRead))
    events.push(...page.filter(({ sk }) => names.has(sk)))
  return events
}

const eventsPerRead = 1000
