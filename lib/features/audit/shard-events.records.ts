import { auditPartition } from '../../kernel/table/keys/audit-keys.ts'
import type { AuditShard } from '../../kernel/table/keys/audit-shards.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import type { TableReads } from '../../kernel/table/table.ts'
import type { Item } from '../../kernel/table/transaction.ts'
import { listMonths } from './survey.records.ts'

/** A part of the events of a shard: after one sort key or time, and up to another one. */
export interface EventRange {
  readonly after: string
  readonly to: string
}

/** The items of events in order of time, up to `limit`. Reads all attributes, because the hash covers all of them. */
export const readShardEvents = async (
  table: TableReads,
  shard: AuditShard,
  { after, to }: EventRange,
  limit: number,
): Promise<readonly Item[]> => {
  const items: Item[] = []
  const months = listMonths({ sinceMs: timeOf(after), untilMs: timeOf(to) })
  for (const month of months) {
    const listing = { pk: auditPartition(month, shard), to }
    const page = { after, limit: limit - items.length, isDescending: false }
    items.push(...(await readEntries(table, listing, page)).map(({ item }) => item))
    if (items.length >= limit) break
  }
  return items
}

/** The items of all events of a range, page by page. The last page is shorter, and can be empty. */
export async function* readShardPages(
  table: TableReads,
  shard: AuditShard,
  { after, to }: EventRange,
  pageSize: number,
): AsyncGenerator<readonly Item[]> {
  for (let from = after; ; ) {
    const page = await readShardEvents(table, shard, { after: from, to }, pageSize)
    yield page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    from = last.sk
  }
}

/** The time at the beginning of a sort key, in epoch milliseconds. */
export const timeOf = (sortKey: string): number => Date.parse(sortKey.slice(0, 24))
