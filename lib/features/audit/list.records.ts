import { type AuditEventRecord, auditEventCodec } from '../../accounts/events/records.ts'
import { isFailure } from '../../kernel/contract/audit-events.ts'
import { auditListing, auditPartition } from '../../kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../kernel/table/keys/audit-shards.ts'
import {
  type EntrySource,
  type ListEntry,
  type Page,
  type PageRequest,
  readEntries,
  readFilteredPage,
} from '../../kernel/table/listing.ts'
import { mergeSources } from '../../kernel/table/merge-lists.ts'
import { decodeListed, readListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findEmptyPartitions, listMonths, listSettledMonths, type Times } from './survey.records.ts'

/** The requested events. Times are epoch milliseconds. `untilMs` is not included. */
export interface AuditFilter {
  /** The events of any of these users: a user, and those who were merged into them. */
  readonly users?: readonly number[] | undefined
  readonly actor?: number | undefined
  readonly credential?: string | undefined
  readonly credentialId?: number | undefined
  /** A changed field, or what contains it. */
  readonly field?: string | undefined
  readonly events?: ReadonlySet<string> | undefined
  /** The target, or the ID that it begins with. */
  readonly target?: string | undefined
  readonly organization?: number | undefined
  readonly ip?: string | undefined
  readonly requestId?: string | undefined
  /** Whether something failed, or not. Undefined selects both. */
  readonly failed?: boolean | undefined
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
  const { actor, credential, credentialId, field, events, target, organization, ip, requestId, failed } =
    filter
  const keep = (record: AuditEventRecord) =>
    (actor === undefined || record.actor === actor) &&
    (credential === undefined || record.credential === credential) &&
    (credentialId === undefined || record.credentialId === credentialId) &&
    (field === undefined || changesField(record, field)) &&
    (!events || events.has(record.event)) &&
    (target === undefined || record.target === target || record.target?.startsWith(`${target} `) === true) &&
    (organization === undefined || record.organization === organization) &&
    (ip === undefined || record.address === ip) &&
    (requestId === undefined || record.requestId === requestId) &&
    (failed === undefined || isFailure(record) === failed)
  if (!filter.users)
    return readFilteredPage(createAuditSource(table, filter, request), request, decodeItems(table), keep)
  const listings = filter.users.map((user) => ({
    pk: auditListing(user, '').lpk,
    isListing: true,
    ...getBounds(filter),
  }))
  const reader = mergeSources(table, listings)
  const { isDescending } = request
  const read = (entries: readonly ListEntry[]) =>
    readListed(
      table,
      auditEventCodec,
      entries.map(({ key }) => key),
    )
  return readFilteredPage((after, limit) => reader({ after, limit, isDescending }), request, read, keep)
}

const changesField = ({ changes = [] }: AuditEventRecord, wanted: string): boolean =>
  changes.some(({ field }) => field === wanted || field.startsWith(`${wanted}.`))

/** Whether a text can be the index key of an event, which begins with its time. */
export const isAuditIndexKey = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{12}$/.test(text)

const decodeItems =
  (table: Table) =>
  async (entries: readonly ListEntry[]): Promise<readonly (AuditEventRecord | undefined)[]> =>
    entries.map(({ item }) => decodeListed(table, auditEventCodec, [item])[0])

/** An index key is a time with a suffix. So a time alone sorts before all index keys with that time. */
const getBounds = ({ sinceMs, untilMs }: AuditFilter) => ({
  from: new Date(sinceMs).toISOString(),
  to: new Date(untilMs).toISOString(),
})

/** The requested time, and the present one. */
interface SourceTimes extends Times {
  readonly nowMs: number
}

/**
 * The events of all shards as one list in order of time, newest first if `isDescending`. The source keeps what it has
 * read, so the batches of one request read each shard once or twice.
 */
const createAuditSource = (
  table: Table,
  times: SourceTimes,
  { isDescending }: Pick<PageRequest, 'isDescending'>,
): EntrySource => {
  let events: AsyncGenerator<ListEntry> | undefined
  let read: ListEntry[] = []
  return async (after, limit) => {
    events ??= readMonths(table, times, { after, isDescending })
    read = read.slice(read.findIndex(({ indexKey }) => indexKey === after) + 1)
    while (read.length < limit) {
      const { value, done } = await events.next()
      if (done) break
      read.push(value)
    }
    return read.slice(0, limit)
  }
}

interface Position {
  readonly after: string | undefined
  readonly isDescending: boolean
}

async function* readMonths(table: Table, times: SourceTimes, position: Position): AsyncGenerator<ListEntry> {
  const ordered = position.isDescending ? listMonths(times).reverse() : listMonths(times)
  const start = position.after === undefined ? 0 : ordered.indexOf(position.after.slice(0, 7))
  if (start < 0) return
  const settled = listSettledMonths(times.nowMs, times.nowMs - times.sinceMs)
  let empty: ReadonlySet<string> | undefined
  for (const [at, month] of ordered.slice(start).entries()) {
    let keys = auditShards.map((shard) => auditPartition(month, shard))
    if (settled.includes(month)) {
      // Read when a page reaches such a month. Most pages end before.
      empty ??= await findEmptyPartitions(table, times.nowMs)
      const skipped = empty
      keys = keys.filter((pk) => !skipped.has(pk))
    }
    yield* mergePartitions(table, keys, times, at === 0 ? position : { ...position, after: undefined })
  }
}

/** Merges the shards of a month. */
async function* mergePartitions(
  table: Table,
  keys: readonly string[],
  times: Times,
  position: Position,
): AsyncGenerator<ListEntry> {
  const shards = keys.map((pk) => readShard(table, pk, times, position))
  const heads = await Promise.all(shards.map((events) => events.next()))
  for (;;) {
    let next: number | undefined
    for (const [shard, { value, done }] of heads.entries()) {
      const best: ListEntry | undefined = next === undefined ? undefined : heads[next]?.value
      if (!done && (!best || value.indexKey < best.indexKey !== position.isDescending)) next = shard
    }
    const entry: ListEntry | undefined = next === undefined ? undefined : heads[next]?.value
    const shard = next === undefined ? undefined : shards[next]
    if (next === undefined || !entry || !shard) return
    yield entry
    heads[next] = await shard.next()
  }
}

/** The share of one shard in a batch of a hundred events, with some more because events are spread at random. */
const firstRead = 16
/** The share in the rest of the thousand events that one request examines. */
const laterReads = 90

async function* readShard(
  table: Table,
  pk: string,
  { sinceMs, untilMs }: Times,
  { after, isDescending }: Position,
): AsyncGenerator<ListEntry, undefined> {
  // An index key is a time with a suffix. So a time alone sorts before all index keys with that time.
  const [from, to] = [new Date(sinceMs).toISOString(), new Date(untilMs).toISOString()]
  let position = after
  for (let limit = firstRead; ; limit = laterReads) {
    const entries = await readEntries(
      table,
      { pk, isListing: false, from, to },
      { after: position, limit, isDescending },
    )
    yield* entries
    if (entries.length < limit) return undefined
    position = entries.at(-1)?.indexKey
  }
}
