import { auditListing } from '../engine/audit-keys.ts'
import {
  createSource,
  type ListEntry,
  type Page,
  type PageRequest,
  readFilteredPage,
} from '../engine/listing.ts'
import { readRecords } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import { type AuditEventRecord, auditEventCodec } from './audit.ts'
import { createAuditSource } from './audit-source.ts'

/** The requested events. Times are epoch milliseconds. `untilMs` is not included. */
export interface AuditFilter {
  readonly user?: number | undefined
  readonly actor?: number | undefined
  readonly event?: string | undefined
  readonly sinceMs: number
  readonly untilMs: number
  readonly nowMs: number
}

/**
 * Reads a page of events in order of time. The index finds those of a user. All others are read month by month, with
 * one or two queries of each shard that can have events. Further filters apply to what was read: at most 1,000 events
 * for each request, then the page says where to continue.
 */
export const readAuditPage = (
  table: Table,
  filter: AuditFilter,
  request: PageRequest,
): Promise<Page<AuditEventRecord>> => {
  const keep = ({ actor, event }: AuditEventRecord) =>
    (filter.actor === undefined || actor === filter.actor) &&
    (filter.event === undefined || event === filter.event)
  if (filter.user === undefined)
    return readFilteredPage(createAuditSource(table, filter, request), request, decodeItems, keep)
  const listing = { pk: auditListing(filter.user, '').lpk, isListing: true, ...getBounds(filter) }
  const read = (entries: readonly ListEntry[]) =>
    readRecords(
      table,
      auditEventCodec,
      entries.map(({ key }) => key),
    )
  return readFilteredPage(createSource(table, listing, request), request, read, keep)
}

/** Whether a text can be the index key of an event, which begins with its time. */
export const isAuditIndexKey = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{12}$/.test(text)

const decodeItems = async (entries: readonly ListEntry[]): Promise<readonly AuditEventRecord[]> =>
  entries.map(({ item }) => auditEventCodec.decode(item))

/** An index key is a time with a suffix. So a time alone sorts before all index keys with that time. */
const getBounds = ({ sinceMs, untilMs }: AuditFilter) => ({
  from: new Date(sinceMs).toISOString(),
  to: new Date(untilMs).toISOString(),
})
