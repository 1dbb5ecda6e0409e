import { auditListing, auditMonth, auditPartition } from '../engine/keys.ts'
import {
  createSource,
  type EntrySource,
  type ListEntry,
  type Page,
  type PageRequest,
  readEntries,
  readFilteredPage,
} from '../engine/listing.ts'
import { readRecords } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import { type AuditEventRecord, auditEventCodec } from './audit.ts'

/** Which records are asked for; times in epoch milliseconds, the second one not included. */
export interface AuditFilter {
  readonly user?: number | undefined
  readonly actor?: number | undefined
  readonly event?: string | undefined
  readonly sinceMs: number
  readonly untilMs: number
}

/**
 * A page of the records, in order of time. Those of a user are found through the index; all others month by
 * month, each a partition, a query for a hundred records and one for each month that has none. Other filters
 * let pass what was read: at most a thousand records a request, then the page says where to go on.
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
    return readFilteredPage(
      monthsOf(table, filter, request),
      request,
      async (entries) => decodeItems(entries),
      keep,
    )
  const listing = { pk: auditListing(filter.user, '').lpk, isListing: true, ...boundsOf(filter) }
  const read = (entries: readonly ListEntry[]) =>
    readRecords(
      table,
      auditEventCodec,
      entries.map(({ key }) => key),
    )
  return readFilteredPage(createSource(table, listing, request), request, read, keep)
}

/** Whether a text can be the place of a record, which begins with its time. */
export const isAuditPlace = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{12}$/.test(text)

const decodeItems = (entries: readonly ListEntry[]): readonly AuditEventRecord[] =>
  entries.map(({ item }) => auditEventCodec.decode(item))

/** A place is its time and something after it: so the time alone comes before all entries that have it. */
const boundsOf = ({ sinceMs, untilMs }: AuditFilter) => ({
  from: new Date(sinceMs).toISOString(),
  to: new Date(untilMs).toISOString(),
})

const monthsOf =
  (table: Table, filter: AuditFilter, { isDescending }: PageRequest): EntrySource =>
  async (after, limit) => {
    const months = monthsBetween(filter)
    const ordered = isDescending ? months.reverse() : months
    const begun = after === undefined ? 0 : ordered.indexOf(auditPartition(after))
    const found: ListEntry[] = []
    for (const pk of begun < 0 ? [] : ordered.slice(begun)) {
      const listing = { pk, isListing: false, ...boundsOf(filter) }
      const page = {
        after: pk === ordered[begun] ? after : undefined,
        limit: limit - found.length,
        isDescending,
      }
      found.push(...(await readEntries(table, listing, page)))
      if (found.length >= limit) break
    }
    return found
  }

/** The partitions that records of this time lie in, oldest first. */
const monthsBetween = ({ sinceMs, untilMs }: AuditFilter): string[] => {
  const months: string[] = []
  const at = new Date(sinceMs)
  at.setUTCDate(1)
  at.setUTCHours(0, 0, 0, 0)
  for (; at.getTime() <= untilMs; at.setUTCMonth(at.getUTCMonth() + 1)) months.push(auditMonth(at.getTime()))
  return months
}
