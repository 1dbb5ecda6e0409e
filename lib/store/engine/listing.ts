import { idAtEnd, type Key, type ListedKind } from './keys.ts'
import type { Table } from './table.ts'
import type { Item } from './transaction.ts'

/*
 * Lists cost by their page, not by what there is: one query for the places of a page (keys alone, some 70
 * bytes each) and one batch read for every 100 records that are shown. What is skipped by an offset costs its
 * places; going on after a place costs what the first page does. A filter that no index serves reads batches
 * of 100 until the page is full, and so many batches at most; then the page is what was found, and says where
 * to go on.
 */

/** A list in one order: a partition of the listing index, or of the table, whole or between two sort keys. */
export interface Listing {
  readonly pk: string
  readonly isListing: boolean
  readonly from?: string
  readonly to?: string
}

/** Which part of a list is asked for. */
export interface PageRequest {
  /** The sort key to go on after. */
  readonly after?: string | undefined
  readonly skip: number
  readonly limit: number
  readonly isDescending: boolean
}

/** One entry of a list: its sort key, and the item that bears it, of which the index tells the key alone. */
export interface Place {
  readonly place: string
  readonly key: Key
  readonly item: Item
}

/** So many entries of a list, after the one that `after` names. */
export type Source = (after: string | undefined, limit: number) => Promise<readonly Place[]>

export interface Page<Row> {
  readonly rows: readonly { readonly place: string; readonly row: Row }[]
  /** Where to go on, and what of the offset is still to be skipped there; undefined when nothing follows. */
  readonly next?: { readonly after: string; readonly skip: number } | undefined
}

const batchSize = 100
const mostBatches = 10

/** All of a kind, in order of id. */
export const byId = (kind: ListedKind): Listing => ({ pk: kind, isListing: true })
/** The same in order of name. */
export const byName = (kind: ListedKind): Listing => ({ pk: `${kind}#by-name`, isListing: true })
export const listingOf = (kind: ListedKind, order: 'id' | 'name'): Listing =>
  order === 'id' ? byId(kind) : byName(kind)

/** The ids that the sort keys of a list end with. */
export const idsOf = (places: readonly Place[]): readonly number[] =>
  places.map(({ place }) => idAtEnd(place))

/** So many entries of a list, in order, after the one that `after` names. */
export const readPlaces = async (
  table: Table,
  { pk, isListing, from, to }: Listing,
  { after, limit, isDescending }: Pick<PageRequest, 'after' | 'limit' | 'isDescending'>,
): Promise<readonly Place[]> => {
  const items = await table.page({
    pk,
    isListing,
    from: isDescending ? from : outermost(from, after, 1),
    to: isDescending ? outermost(to, after, -1) : to,
    isDescending,
    // The bounds are included, so the entry to go on after comes once more.
    limit: after === undefined ? limit : limit + 1,
  })
  const placeOf = (item: Item): string => String(isListing ? item['lsk'] : item.sk)
  return items
    .map((item) => ({ place: placeOf(item), key: { pk: item.pk, sk: item.sk }, item }))
    .filter(({ place }) => place !== after)
    .slice(0, limit)
}

/** The later of two bounds, or the earlier, as the table orders them: by bytes. */
const outermost = (
  bound: string | undefined,
  after: string | undefined,
  sign: 1 | -1,
): string | undefined => {
  if (bound === undefined || after === undefined) return bound ?? after
  return Buffer.compare(Buffer.from(bound), Buffer.from(after)) === sign ? bound : after
}

/** A list as the source of a page that is filtered. */
export const sourceOf =
  (table: Table, listing: Listing, { isDescending }: PageRequest): Source =>
  (after, limit) =>
    readPlaces(table, listing, { after, limit, isDescending })

/** Reads the places of a list that isn't one partition: see `several-lists.ts`. */
export type PlaceReader = (
  request: Pick<PageRequest, 'after' | 'limit' | 'isDescending'>,
) => Promise<readonly Place[]>

/** One page; `read` gets the records of its entries, undefined for one that is gone by now. */
export const readPage = async <Row>(
  table: Table,
  listing: Listing | PlaceReader,
  request: PageRequest,
  read: (places: readonly Place[]) => Promise<readonly (Row | undefined)[]>,
): Promise<Page<Row>> => {
  const { skip, limit } = request
  const wanted = { ...request, limit: skip + limit + 1 }
  const places = await (typeof listing === 'function' ? listing(wanted) : readPlaces(table, listing, wanted))
  const shown = places.slice(skip, skip + limit)
  const last = shown.at(-1)
  return {
    rows: withRows(shown, await read(shown)),
    next: last && places.length > skip + limit ? { after: last.place, skip: 0 } : undefined,
  }
}

/**
 * One page of the rows that `keep` lets pass. It may be short of its limit, even empty, and still say where
 * to go on.
 */
export const readFilteredPage = async <Row>(
  source: Source,
  request: PageRequest,
  read: (places: readonly Place[]) => Promise<readonly (Row | undefined)[]>,
  keep: (row: Row) => boolean,
): Promise<Page<Row>> => {
  const rows: { place: string; row: Row }[] = []
  let { after, skip } = request
  for (let batch = 0; batch < mostBatches; batch++) {
    const places = await source(after, batchSize + 1)
    const examined = places.slice(0, batchSize)
    for (const found of withRows(examined, await read(examined)).filter(({ row }) => keep(row))) {
      if (skip > 0) skip -= 1
      else if (rows.length < request.limit) rows.push(found)
      else return { rows, next: { after: rows.at(-1)?.place ?? found.place, skip: 0 } }
    }
    if (places.length <= batchSize) return { rows }
    after = examined.at(-1)?.place
  }
  return { rows, next: after === undefined ? undefined : { after, skip } }
}

/**
 * The same of rows that are all there already, few as they are; `placeOf` gives each a sort key of its own.
 */
export const pageOf = <Row>(
  all: readonly Row[],
  placeOf: (row: Row) => string,
  { after, skip, limit, isDescending }: PageRequest,
): Page<Row> => {
  const places = all.map((row) => ({ place: placeOf(row), row }))
  const ordered = places.sort((a, b) => (a.place < b.place === isDescending ? 1 : -1))
  const rest = ordered.filter(
    ({ place }) => after === undefined || (isDescending ? place < after : place > after),
  )
  const rows = rest.slice(skip, skip + limit)
  const last = rows.at(-1)
  return { rows, next: last && rest.length > skip + limit ? { after: last.place, skip: 0 } : undefined }
}

/** The page with what is shown of its rows, which `bodiesOf` makes of all of them together. */
export const withBodies = async <Row, Body>(
  { rows, next }: Page<Row>,
  bodiesOf: (rows: readonly Row[]) => Promise<readonly Body[]>,
): Promise<Page<Body>> => {
  const bodies = await bodiesOf(rows.map(({ row }) => row))
  return { rows: withRows(rows, bodies), next }
}

/** Reads any number of items, a hundred in a call; undefined for what isn't there. */
export const readAll = async (table: Table, keys: readonly Key[]): Promise<readonly (Item | undefined)[]> => {
  const batches = Array.from({ length: Math.ceil(keys.length / batchSize) }, (_, batch) =>
    keys.slice(batch * batchSize, (batch + 1) * batchSize),
  )
  return (await Promise.all(batches.map((batch) => table.getMany(batch)))).flat()
}

const withRows = <Row>(places: readonly { readonly place: string }[], rows: readonly (Row | undefined)[]) =>
  places.flatMap(({ place }, at) => {
    const row = rows[at]
    return row === undefined ? [] : [{ place, row }]
  })
