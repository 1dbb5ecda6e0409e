import { entriesSearchedPerPage, recordsSearchedPerPage } from '../limits/limits.ts'
import {
  type ListEntry,
  type Listing,
  type Page,
  type PageRequest,
  type PageRow,
  readEntries,
} from './listing.ts'
import type { Table } from './table.ts'

/*
 * A search examines the entries of a list in the listing index. It reads only records that may match: a query returns 1 MB
 * of entries for 128 read units, while each record takes a unit. The record decides in the end, because the index may be
 * outdated for a moment.
 */

export interface ListSearch<Row> extends RecordSearch<Row> {
  /** The list whose entries are examined. */
  readonly listing: Listing
  /** Returns a candidate for an entry that may match. Its index key is the position in this list. */
  readonly select: (entry: ListEntry) => Candidate | undefined
}

/** What one page reads at most: entries, and records without a result. */
export interface SearchBounds {
  readonly entries: number
  readonly records: number
}

const defaultBounds: SearchBounds = { entries: entriesSearchedPerPage, records: recordsSearchedPerPage }

/** The entries of the first query, and of the largest. A search with many results reads few entries. */
const batch = { first: 200, largest: 5000 }

/**
 * Reads one page of a search in the order of the examined list. A page that reaches a bound may be short or empty, and
 * says where to continue.
 */
export const searchInOrder = async <Row>(
  table: Table,
  search: ListSearch<Row>,
  request: PageRequest,
  bounds = defaultBounds,
): Promise<Page<Row>> => {
  const page = createSearchPage(search, request, bounds.records)
  let { after } = request
  let size = batch.first
  for (let examined = 0; examined < bounds.entries; size = Math.min(2 * size, batch.largest)) {
    const limit = Math.min(size, bounds.entries - examined)
    const entries = await readEntries(table, search.listing, { ...request, after, limit })
    const next = await page.add(selectCandidates(search, entries))
    if (next) return { rows: page.rows, next }
    if (entries.length < limit) return { rows: page.rows }
    examined += entries.length
    after = entries.at(-1)?.indexKey
  }
  return { rows: page.rows, next: after === undefined ? undefined : { after, skip: page.getSkip() } }
}

/** The order of a search in which its results are sorted. */
export interface SearchOrder<Row> {
  /** The position in this order, as far as the entry says it. */
  readonly ofEntry: (entry: ListEntry) => string | undefined
  readonly ofRow: (row: Row) => string
  readonly idOf: (row: Row) => number
}

/**
 * Reads one page of a search in another order: it selects all results and sorts them. Undefined if that exceeds a bound.
 */
export const searchSorted = async <Row>(
  table: Table,
  search: ListSearch<Row>,
  order: SearchOrder<Row>,
  request: PageRequest,
  bounds = defaultBounds,
): Promise<Page<Row> | undefined> => {
  const found = await selectAll(table, search, order, bounds.entries)
  if (!found || found.unplaced.length > bounds.records) return undefined
  const records = await search.read(found.unplaced)
  const others = records.flatMap((row) =>
    row !== undefined && search.keep(row)
      ? [{ id: order.idOf(row), indexKey: order.ofRow(row), isDecided: true }]
      : [],
  )
  const page = createSearchPage(search, request, bounds.records)
  const next = await page.add(sortAfter([...found.placed, ...others], request))
  return { rows: page.rows, next }
}

/** Selects the candidates of the whole list, and the IDs of those whose place is unknown. */
const selectAll = async <Row>(
  table: Table,
  search: ListSearch<Row>,
  order: SearchOrder<Row>,
  most: number,
): Promise<{ readonly placed: readonly Candidate[]; readonly unplaced: readonly number[] } | undefined> => {
  const placed: Candidate[] = []
  const unplaced: number[] = []
  let after: string | undefined
  for (let examined = 0; examined <= most; ) {
    const limit = Math.min(batch.largest, most + 1 - examined)
    const entries = await readEntries(table, search.listing, { after, limit, isDescending: false })
    for (const entry of entries) {
      const candidate = search.select(entry)
      const indexKey = candidate && order.ofEntry(entry)
      if (candidate && indexKey !== undefined) placed.push({ ...candidate, indexKey })
      else if (candidate) unplaced.push(candidate.id)
    }
    if (entries.length < limit) return { placed, unplaced }
    examined += entries.length
    after = entries.at(-1)?.indexKey
  }
  return undefined
}

/** The candidates after the requested position, in the order of their bytes, as DynamoDB sorts. */
const sortAfter = (
  candidates: readonly Candidate[],
  { after, isDescending }: PageRequest,
): readonly Candidate[] => {
  const direction = isDescending ? -1 : 1
  const start = after === undefined ? undefined : Buffer.from(after)
  return candidates
    .map((candidate) => ({ candidate, bytes: Buffer.from(candidate.indexKey) }))
    .filter(({ bytes }) => start === undefined || Buffer.compare(bytes, start) === direction)
    .sort((a, b) => direction * Buffer.compare(a.bytes, b.bytes))
    .map(({ candidate }) => candidate)
}

const selectCandidates = <Row>(
  { select }: ListSearch<Row>,
  entries: readonly ListEntry[],
): readonly Candidate[] => entries.flatMap((entry) => select(entry) ?? [])

/** An entry of a list that may match. */
interface Candidate {
  readonly id: number
  /** The position of the record in the requested order. */
  readonly indexKey: string
  /** Whether the entry is enough to know that the record matches. The record confirms it before it is shown. */
  readonly isDecided: boolean
}

/** How a search reads and confirms records. */
interface RecordSearch<Row> {
  /** Reads the records with these IDs, in their order. Missing ones are undefined. */
  readonly read: (ids: readonly number[]) => Promise<readonly (Row | undefined)[]>
  /** Whether a record matches as it is now. */
  readonly keep: (row: Row) => boolean
}

/** A page that fills up with the records that a search keeps. */
interface SearchPage<Row> {
  readonly rows: readonly PageRow<Row>[]
  /** Adds candidates in order. Returns where to continue once the page is full, or has read too many records. */
  readonly add: (candidates: readonly Candidate[]) => Promise<Page<Row>['next']>
  /** How much of the offset remains to be skipped. */
  readonly getSkip: () => number
}

/** Most candidates that are decided are a result, most others are not. */
const leastBatch = { decided: 25, undecided: 200 }

/** Builds a page. It ends after `mostMisses` records that were read without a result. */
const createSearchPage = <Row>(
  { read, keep }: RecordSearch<Row>,
  request: PageRequest,
  mostMisses: number,
): SearchPage<Row> => {
  const rows: PageRow<Row>[] = []
  let { skip } = request
  let misses = 0

  const take = async (some: readonly Candidate[]): Promise<Page<Row>['next']> => {
    const records = await read(some.map(({ id }) => id))
    for (const [at, { indexKey }] of some.entries()) {
      const row = records[at]
      if (row === undefined || !keep(row)) misses += 1
      else if (skip > 0) skip -= 1
      else if (rows.length < request.limit) rows.push({ indexKey, row })
      else return { after: rows.at(-1)?.indexKey ?? indexKey, skip: 0 }
    }
    const last = some.at(-1)
    return last && misses >= mostMisses ? { after: last.indexKey, skip } : undefined
  }

  return {
    rows,
    getSkip: () => skip,
    add: async (candidates) => {
      let at = 0
      while (at < candidates.length) {
        const isDecided = candidates[at]?.isDecided === true
        // The offset skips such a candidate without its record.
        if (skip > 0 && isDecided) {
          skip -= 1
          at += 1
          continue
        }
        const least = isDecided ? leastBatch.decided : leastBatch.undecided
        const wanted = Math.max(least, request.limit + 1 - rows.length)
        const some = candidates.slice(at, at + wanted)
        const next = await take(some)
        if (next) return next
        at += some.length
      }
      return undefined
    },
  }
}
