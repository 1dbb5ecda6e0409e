import {
  type EntryReader,
  type EntryRequest,
  type ListEntry,
  type Listing,
  type Page,
  type PageRequest,
  type PageRow,
  type RecordReader,
  readEntries,
} from './listing.ts'
import type { Table } from './table.ts'

/*
 * Several lists in the same order can be read as one: their union or their intersection. This never reads more of a
 * list than the page needs or the limits allow. If a limit is reached, the page is short and says where to continue.
 */

const batchSize = 100
/** The number of entries without a result after which a page ends. */
const maxMisses = 1000

const comesBefore = (isDescending: boolean) => (a: ListEntry, b: ListEntry) =>
  a.indexKey < b.indexKey !== isDescending

/** The union of these lists in their order, each entry once. */
export const mergeSources =
  (table: Table, listings: readonly Listing[]): EntryReader =>
  async (request) => {
    const [only, ...others] = listings
    if (only && others.length === 0) return readEntries(table, only, request)
    const streams = await Promise.all(listings.map((listing) => openStream(table, listing, request)))
    const isBefore = comesBefore(request.isDescending)
    const entries: ListEntry[] = []
    while (entries.length < request.limit) {
      const next = streams
        .filter((stream) => stream.head !== undefined)
        .reduce<Stream | undefined>(
          (first, stream) =>
            first?.head && stream.head && !isBefore(stream.head, first.head) ? first : stream,
          undefined,
        )
      if (!next?.head) break
      if (next.head.indexKey !== entries.at(-1)?.indexKey) entries.push(next.head)
      if (entries.length < request.limit) await next.advance()
    }
    return entries
  }

interface Stream {
  head: ListEntry | undefined
  readonly advance: () => Promise<void>
}

/** Reads a list in batches as it is consumed. */
const openStream = async (table: Table, listing: Listing, request: EntryRequest): Promise<Stream> => {
  const limit = Math.min(request.limit, 2 * batchSize)
  let batch = await readEntries(table, listing, { ...request, limit })
  let at = 0
  const stream: Stream = {
    head: batch[0],
    advance: async () => {
      at += 1
      if (at === limit) {
        batch = await readEntries(table, listing, { ...request, after: batch.at(-1)?.indexKey, limit })
        at = 0
      }
      stream.head = batch[at]
    },
  }
  return stream
}

/**
 * Reads one page of the intersection of these lists. All lists are read from the same point on. The list whose next
 * hundred entries reach furthest is the sparsest there. So its entries are the candidates, except those that another
 * list does not have. `read` decides: it returns undefined for a record that must not be shown.
 */
export const readCommonPage = async <Row>(
  lists: readonly EntryReader[],
  request: PageRequest,
  read: RecordReader<Row>,
): Promise<Page<Row>> => {
  const rows: PageRow<Row>[] = []
  let { after, skip } = request
  for (let misses = 0; misses < maxMisses; ) {
    const { candidates, examined, last } = await readCandidates(lists, { ...request, after })
    misses += examined
    for (let at = 0; at < candidates.length; ) {
      // One more than the page shows, to find out whether more follow.
      const wanted = skip + request.limit + 1 - rows.length
      const some = candidates.slice(at, at + Math.max(batchSize / 4, wanted))
      at += some.length
      const records = await read(some)
      for (const [indexKey, row] of some.map((entry, index) => [entry.indexKey, records[index]] as const)) {
        if (row === undefined) continue
        misses -= 1
        if (skip > 0) skip -= 1
        else if (rows.length < request.limit) rows.push({ indexKey, row })
        else return { rows, next: { after: rows.at(-1)?.indexKey ?? indexKey, skip: 0 } }
      }
    }
    if (last === undefined) return { rows }
    after = last
  }
  return { rows, next: after === undefined ? undefined : { after, skip } }
}

interface Batch {
  readonly entries: readonly ListEntry[]
  /** Whether the list ends here. */
  readonly isEnd: boolean
}

interface Candidates {
  /** The entries that may be in all lists. */
  readonly candidates: readonly ListEntry[]
  /** The number of entries from which the candidates were chosen. */
  readonly examined: number
  /** The index key of the last examined entry. Undefined at the end of the list. */
  readonly last: string | undefined
}

const readCandidates = async (
  lists: readonly EntryReader[],
  { after, isDescending }: Pick<PageRequest, 'after' | 'isDescending'>,
): Promise<Candidates> => {
  const batches = await Promise.all(
    lists.map(async (list): Promise<Batch> => {
      const entries = await list({ after, limit: batchSize + 1, isDescending })
      return { entries: entries.slice(0, batchSize), isEnd: entries.length <= batchSize }
    }),
  )
  const sparsest = batches.reduce((best, batch) => (reachesFurther(batch, best, isDescending) ? batch : best))
  const candidates = sparsest.entries.filter((entry) =>
    batches.every((batch) => mayContain(batch, entry, isDescending)),
  )
  const { entries, isEnd } = sparsest
  return { candidates, examined: entries.length, last: isEnd ? undefined : entries.at(-1)?.indexKey }
}

const reachesFurther = (a: Batch, b: Batch, isDescending: boolean): boolean => {
  if (a.isEnd || b.isEnd) return a.isEnd && (!b.isEnd || a.entries.length < b.entries.length)
  const [lastOfA, lastOfB] = [a.entries.at(-1), b.entries.at(-1)]
  return lastOfA !== undefined && lastOfB !== undefined && comesBefore(isDescending)(lastOfB, lastOfA)
}

/** Whether the entry is in the batch or lies beyond it. */
const mayContain = ({ entries, isEnd }: Batch, entry: ListEntry, isDescending: boolean): boolean => {
  const last = entries.at(-1)
  const isBeyond = !isEnd && last !== undefined && comesBefore(isDescending)(last, entry)
  return isBeyond || entries.some(({ indexKey }) => indexKey === entry.indexKey)
}

/**
 * Reads the whole intersection of these lists if the shortest of them has at most `limit` entries. Otherwise returns
 * undefined without reading a record.
 */
export const readFew = async <Row>(
  lists: readonly EntryReader[],
  limit: number,
  read: RecordReader<Row>,
): Promise<readonly Row[] | undefined> => {
  const all = await Promise.all(lists.map((list) => list({ limit: limit + 1, isDescending: false })))
  const complete = all
    .filter((entries) => entries.length <= limit)
    .map((entries) => new Set(entries.map(({ indexKey }) => indexKey)))
  const shortest = all.reduce((a, b) => (b.length < a.length ? b : a))
  if (complete.length === 0) return undefined
  const common = shortest.filter(({ indexKey }) => complete.every((keys) => keys.has(indexKey)))
  return (await read(common)).filter((row) => row !== undefined)
}
