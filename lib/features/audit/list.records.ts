import { type AuditEventRecord, auditEventCodec } from '../../accounts/events/records.ts'
import { isFailure } from '../../kernel/contract/audit-events.ts'
import {
  auditListing,
  auditPartition,
  type EventSubject,
  eventPartitions,
  nameCredential,
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
 * Reads a page of events in order of time. Indexes find those that a credential, a user, an actor or an organization has, in this
 * order of preference. All others are read month by month, with one or two queries of each shard that can have events. Further
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
  const subject = findSubject(filter)
  if (subject) {
    const lists = eventPartitions(subject).map((pk) => ({ pk, index: subject.index, ...getBounds(filter) }))
    const source = createStreamSource((after) => mergeShards(table, lists, position(after)))
    return readFilteredPage(source, request, readKeys(table), keep)
  }
  if (filter.users) {
    const lists = filter.users.map((user) => ({
      pk: auditListing(user, '').lpk,
      index: 'listing' as const,
      ...getBounds(filter),
    }))
    const reader = mergeSources(table, lists)
    const source: EntrySource = (after, limit) => reader({ ...position(after), limit })
    return readFilteredPage(source, request, readKeys(table), keep)
  }
  const source = createStreamSource((after) => readMonths(table, filter, position(after)))
  return readFilteredPage(source, request, decodeItems(table), keep)
}

/** Whose events an index of events finds. Undefined if the listing index or none finds them. */
const findSubject = ({
  users,
  actor,
  credential,
  credentialId,
  organization,
}: AuditFilter): EventSubject | undefined => {
  const credentialName = nameCredential({ actor: actor ?? null, credential, credentialId })
  if (credentialName !== undefined) return { index: 'events-by-credential', name: credentialName }
  if (users) return undefined
  if (actor !== undefined) return { index: 'events-by-actor', name: actor }
  return organization === undefined ? undefined : { index: 'events-by-organization', name: organization }
}

const changesField = ({ changes = [] }: AuditEventRecord, wanted: string): boolean =>
  changes.some(({ field }) => field === wanted || field.startsWith(`${wanted}.`))

/** Whether a text can be the index key of an event, which begins with its time. */
export const isAuditIndexKey = (text: string): boolean =>
  /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[\w-]{12}$/.test(text)

/** Reads the events of entries of an index, which have keys alone. */
const readKeys =
  (table: Table) =>
  (entries: readonly ListEntry[]): Promise<readonly (AuditEventRecord | undefined)[]> =>
    readListed(
      table,
      auditEventCodec,
      entries.map(({ key }) => key),
    )

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
    const lists = keys.map((pk) => ({ pk, ...getBounds(times) }))
    yield* mergeShards(table, lists, at === 0 ? position : { ...position, after: undefined })
  }
}

/** Merges lists over which events are spread at random. */
async function* mergeShards(
  table: Table,
  lists: readonly Listing[],
  position: Position,
): AsyncGenerator<ListEntry> {
  const shards = lists.map((list) => readShard(table, list, position))
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
  list: Listing,
  { after, isDescending }: Position,
): AsyncGenerator<ListEntry, undefined> {
  let position = after
  for (let limit = firstRead; ; limit = laterReads) {
    const entries = await readEntries(table, list, { after: position, limit, isDescending })
    yield* entries
    if (entries.length < limit) return undefined
    position = entries.at(-1)?.indexKey
  }
}
