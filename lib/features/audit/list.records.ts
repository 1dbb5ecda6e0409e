import { type AuditEventRecord, auditEventCodec } from '../../accounts/events/records.ts'
import { isFailure } from '../../kernel/contract/audit-events.ts'
import {
  auditPartition,
  type EventList,
  listActorEvents,
  listCredentialEvents,
  listOrganizationEvents,
  listUserEvents,
  nameIndexedCredential,
} from '../../kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../kernel/table/keys/audit-shards.ts'
import {
  type EntrySource,
  type ListEntry,
  type Listing,
  type Page,
  type PageRequest,
  readEntries,
  readFilteredPage,
} from '../../kernel/table/listing.ts'
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
 * Reads a page of events in order of time. Indexes find those of a credential, about a user, of an actor or about an organization, in
 * this order of preference. Those of a session are selected from those of its user. All others are read month by month, with one or two queries of each shard that can have events. Further
 * filters apply to what was read: at most 1,000 events for each request, then the page says where to continue.
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
  const position = (after: string | undefined) => ({ after, isDescending: request.isDescending })
  const lists = findLists(filter)?.map((list) => ({ ...list, ...getBounds(filter) }))
  if (!lists) {
    const source = createStreamSource((after) => readMonths(table, filter, position(after)))
    return readFilteredPage(source, request, decodeItems(table), keep)
  }
  const read = (entries: readonly ListEntry[]) =>
    readListed(
      table,
      auditEventCodec,
      entries.map(({ key }) => key),
    )
  const source = createStreamSource((after) => mergeLists(table, lists, position(after)))
  return readFilteredPage(source, request, read, keep)
}

/** The lists of an index that together have the requested events. Undefined if no index finds them. */
const findLists = (filter: AuditFilter): readonly EventList[] | undefined => {
  const { users, actor, organization } = filter
  const credential = nameIndexedCredential(filter)
  if (credential !== undefined) return listCredentialEvents(credential)
  if (users) return users.flatMap(listUserEvents)
  if (actor !== undefined) return listActorEvents(actor)
  return organization === undefined ? undefined : listOrganizationEvents(organization)
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
const getBounds = ({ sinceMs, untilMs }: Times) => ({
  from: new Date(sinceMs).toISOString(),
  to: new Date(untilMs).toISOString(),
})

/** The requested time, and the present one. */
interface SourceTimes extends Times {
  readonly nowMs: number
}

/**
 * A stream of events as the source of a page. It keeps what it has read, so the batches of one request read each shard once or
 * twice.
 */
const createStreamSource = (open: (after: string | undefined) => AsyncGenerator<ListEntry>): EntrySource => {
  let events: AsyncGenerator<ListEntry> | undefined
  let read: ListEntry[] = []
  return async (after, limit) => {
    events ??= open(after)
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

/** The events of all shards in order of time, month by month. */
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
    const lists = keys.map((pk) => ({ pk, isShard: true, ...getBounds(times) }))
    yield* mergeLists(table, lists, at === 0 ? position : { ...position, after: undefined })
  }
}

interface ReadList extends Listing {
  /** Whether it is one of many, over which the events are spread at random. */
  readonly isShard: boolean
}

/** Merges lists that have no event in common. */
async function* mergeLists(
  table: Table,
  lists: readonly ReadList[],
  position: Position,
): AsyncGenerator<ListEntry> {
  const streams = lists.map((list) => readList(table, list, position))
  const heads = await Promise.all(streams.map((events) => events.next()))
  for (;;) {
    let next: number | undefined
    for (const [at, { value, done }] of heads.entries()) {
      const best: ListEntry | undefined = next === undefined ? undefined : heads[next]?.value
      if (!done && (!best || value.indexKey < best.indexKey !== position.isDescending)) next = at
    }
    const entry: ListEntry | undefined = next === undefined ? undefined : heads[next]?.value
    const stream = next === undefined ? undefined : streams[next]
    if (next === undefined || !entry || !stream) return
    yield entry
    heads[next] = await stream.next()
  }
}

/**
 * How much of a list is read first: a batch, or the share of one shard, with some more because events are spread at random. And how
 * much then, of the thousand events that one request examines.
 */
const readSizes = { whole: [101, 300], shard: [16, 90] } as const

async function* readList(
  table: Table,
  list: ReadList,
  { after, isDescending }: Position,
): AsyncGenerator<ListEntry, undefined> {
  let position = after
  const [first, later] = readSizes[list.isShard ? 'shard' : 'whole']
  for (let limit: number = first; ; limit = later) {
    const entries = await readEntries(table, list, { after: position, limit, isDescending })
    yield* entries
    if (entries.length < limit) return undefined
    position = entries.at(-1)?.indexKey
  }
}
