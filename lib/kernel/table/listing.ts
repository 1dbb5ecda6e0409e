import { idAtEnd, type Key } from './keys/keys.ts'
import { type ListedKind, listingPartition, splitCarried } from './keys/listing-keys.ts'
import type { IndexName, Table, TableReads } from './table.ts'
import type { Item } from './transaction.ts'

/*
 * The cost of a list depends on the page, not on the size of the list: one query for the entries of a page (keys alone,
 * about 70 bytes each) and one batch read for every 100 records shown. An offset costs the entries it skips. To
 * continue after an entry costs the same as the first page. A filter without an index reads a limited number of
 * batches of 100. Then the page contains what was found and says where to continue.
 */

/** A list in one order: a partition of an index or of the table, or the part between two sort keys. */
export interface Listing {
  readonly pk: string
  readonly index?: IndexName
  readonly from?: string
  readonly to?: string
}

/** The requested part of a list. */
export interface PageRequest {
  /** The index key to continue after. */
  readonly after?: string | undefined
  readonly skip: number
  readonly limit: number
  readonly isDescending: boolean
}

export type EntryRequest = Pick<PageRequest, 'after' | 'limit' | 'isDescending'>

/** One entry of a list: its sort key in the list, and the item. In the index, the item has keys alone. */
export interface ListEntry {
  readonly indexKey: string
  readonly key: Key
  readonly item: Item
  /** What the entry carries besides its position: see `carryText`. */
  readonly text?: string
}

/** Reads up to `limit` entries after the one with the index key `after`. */
export type EntrySource = (after: string | undefined, limit: number) => Promise<readonly ListEntry[]>

/** Reads the records of entries, in their order. A record that was deleted concurrently is undefined. */
export type RecordReader<Row> = (entries: readonly ListEntry[]) => Promise<readonly (Row | undefined)[]>

export interface PageRow<Row> {
  readonly indexKey: string
  readonly row: Row
}

export interface Page<Row> {
  readonly rows: readonly PageRow<Row>[]
  /** Where to continue, and how much of the offset remains to be skipped there. Undefined at the end of the list. */
  readonly next?: { readonly after: string; readonly skip: number } | undefined
}

const batchSize = 100
const maxBatches = 10

/** All records of a kind, in order of ID or of name. */
export const getListing = (kind: ListedKind, order: 'id' | 'name'): Listing => ({
  pk: listingPartition(kind, order),
  index: 'listing',
})

/** The IDs at the end of the index keys. */
export const getIds = (entries: readonly ListEntry[]): readonly number[] =>
  entries.map(({ indexKey }) => idAtEnd(indexKey))

/** Reads entries of a list in order. */
export const readEntries = async (
  table: TableReads,
  { pk, index, from, to }: Listing,
  { after, limit, isDescending }: EntryRequest,
): Promise<readonly ListEntry[]> => {
  const items = await table.page({
    pk,
    index,
    from: isDescending ? from : getOuterBound(from, after, 1),
    to: isDescending ? getOuterBound(to, after, -1) : to,
    isDescending,
    // The query includes its bounds, so the entry to continue after is read again.
    limit: after === undefined ? limit : limit + 1,
  })
  return items
    .map((item) => ({
      ...(index === 'listing' ? splitCarried(String(item['lsk'])) : { indexKey: item.sk }),
      key: { pk: item.pk, sk: item.sk },
      item,
    }))
    .filter(({ indexKey }) => indexKey !== after)
    .slice(0, limit)
}

/** Reads all entries of a list in ascending order, `limit` at a time. */
export async function* readEntryPages(
  table: TableReads,
  listing: Listing,
  limit: number,
): AsyncGenerator<readonly ListEntry[]> {
  for (let after: string | undefined; ; ) {
    const entries = await readEntries(table, listing, { after, limit, isDescending: false })
    yield entries
    if (entries.length < limit) return
    after = entries.at(-1)?.indexKey
  }
}

/** The greater of two bounds for `sign` 1, the lesser for -1, compared as DynamoDB does. */
const getOuterBound = (
  bound: string | undefined,
  after: string | undefined,
  sign: 1 | -1,
): string | undefined => {
  if (bound === undefined || after === undefined) return bound ?? after
  return Buffer.compare(Buffer.from(bound), Buffer.from(after)) === sign ? bound : after
}

/** A list as the source of a filtered page. */
export const createSource =
  (table: Table, listing: Listing, { isDescending }: PageRequest): EntrySource =>
  (after, limit) =>
    readEntries(table, listing, { after, limit, isDescending })

/** Reads the entries of a list that is not one partition: see `merge-lists.ts`. */
export type EntryReader = (request: EntryRequest) => Promise<readonly ListEntry[]>

/** Reads one page. */
export const readPage = async <Row>(
  table: Table,
  listing: Listing | EntryReader,
  request: PageRequest,
  read: RecordReader<Row>,
): Promise<Page<Row>> => {
  const { skip, limit } = request
  const wanted = { ...request, limit: skip + limit + 1 }
  const entries = await (typeof listing === 'function'
    ? listing(wanted)
    : readEntries(table, listing, wanted))
  const shown = entries.slice(skip, skip + limit)
  const last = shown.at(-1)
  return {
    rows: pairRows(shown, await read(shown)),
    next: last && entries.length > skip + limit ? { after: last.indexKey, skip: 0 } : undefined,
  }
}

/** Reads one page of the rows that `keep` accepts. It may be short or empty and still say where to continue. */
export const readFilteredPage = async <Row>(
  source: EntrySource,
  request: PageRequest,
  read: RecordReader<Row>,
  keep: (row: Row) => boolean,
): Promise<Page<Row>> => {
  const rows: PageRow<Row>[] = []
  let { after, skip } = request
  for (let batch = 0; batch < maxBatches; batch++) {
    const entries = await source(after, batchSize + 1)
    const examined = entries.slice(0, batchSize)
    for (const found of pairRows(examined, await read(examined)).filter(({ row }) => keep(row))) {
      if (skip > 0) skip -= 1
      else if (rows.length < request.limit) rows.push(found)
      else return { rows, next: { after: rows.at(-1)?.indexKey ?? found.indexKey, skip: 0 } }
    }
    if (entries.length <= batchSize) return { rows }
    after = examined.at(-1)?.indexKey
  }
  return { rows, next: after === undefined ? undefined : { after, skip } }
}

/** Builds one page of rows that are already in memory. `getIndexKey` gives each row a unique sort key. */
export const buildPage = <Row>(
  all: readonly Row[],
  getIndexKey: (row: Row) => string,
  { after, skip, limit, isDescending }: PageRequest,
): Page<Row> => {
  const ordered = all
    .map((row) => ({ indexKey: getIndexKey(row), row }))
    .sort((a, b) => (a.indexKey < b.indexKey === isDescending ? 1 : -1))
  const rest = ordered.filter(
    ({ indexKey }) => after === undefined || (isDescending ? indexKey < after : indexKey > after),
  )
  const rows = rest.slice(skip, skip + limit)
  const last = rows.at(-1)
  return { rows, next: last && rest.length > skip + limit ? { after: last.indexKey, skip: 0 } : undefined }
}

/** Replaces the rows of a page by their bodies, which `toBodies` builds from all of them together. */
export const mapRows = async <Row, Body>(
  { rows, next }: Page<Row>,
  toBodies: (rows: readonly Row[]) => Promise<readonly Body[]>,
): Promise<Page<Body>> => {
  const bodies = await toBodies(rows.map(({ row }) => row))
  return { rows: pairRows(rows, bodies), next }
}

/** Reads any number of items, 100 in each call. Missing ones are undefined. */
export const readAll = async (
  table: Pick<TableReads, 'getMany'>,
  keys: readonly Key[],
): Promise<readonly (Item | undefined)[]> => {
  const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, batch) =>
    keys.slice(batch * batchSize, (batch + 1) * batchSize),
  )
  return (await Promise.all(batches.map((batch) => table.getMany(batch)))).flat()
}

const pairRows = <Row>(
  entries: readonly { readonly indexKey: string }[],
  rows: readonly (Row | undefined)[],
): readonly PageRow<Row>[] =>
  entries.flatMap(({ indexKey }, at) => {
    const row = rows[at]
    return row === undefined ? [] : [{ indexKey, row }]
  })
