import {
  type Listing,
  type Page,
  type PageRequest,
  type Place,
  type PlaceReader,
  readPlaces,
} from './listing.ts'
import type { Table } from './table.ts'

/*
 * Lists in one order can be read as one: what is in any of them, or what is in all. Neither ever reads more of a list
 * than it takes to fill the page, or than its bounds allow; then the page is short, and says where to go on.
 */

type PlaceRequest = Parameters<PlaceReader>[0]

const batchSize = 100
/** Entries gone through in vain, after which a page ends as it is. */
const mostMisses = 1000

const comesBefore = (isDescending: boolean) => (a: Place, b: Place) => a.place < b.place !== isDescending

/** What is in any of these lists, each entry once, in their order. */
export const mergeSources =
  (table: Table, listings: readonly Listing[]): PlaceReader =>
  async (request) => {
    const [only, ...others] = listings
    if (only && others.length === 0) return readPlaces(table, only, request)
    const streams = await Promise.all(listings.map((listing) => openStream(table, listing, request)))
    const isBefore = comesBefore(request.isDescending)
    const found: Place[] = []
    while (found.length < request.limit) {
      const next = streams
        .filter((stream) => stream.head !== undefined)
        .reduce<Stream | undefined>(
          (first, stream) =>
            first?.head && stream.head && !isBefore(stream.head, first.head) ? first : stream,
          undefined,
        )
      if (!next?.head) break
      if (next.head.place !== found.at(-1)?.place) found.push(next.head)
      if (found.length < request.limit) await next.advance()
    }
    return found
  }

interface Stream {
  head: Place | undefined
  readonly advance: () => Promise<void>
}

/** A list that is read on as it is used up. */
const openStream = async (table: Table, listing: Listing, request: PlaceRequest): Promise<Stream> => {
  const limit = Math.min(request.limit, 2 * batchSize)
  let batch = await readPlaces(table, listing, { ...request, limit })
  let at = 0
  const stream: Stream = {
    head: batch[0],
    advance: async () => {
      at += 1
      if (at === limit) {
        batch = await readPlaces(table, listing, { ...request, after: batch.at(-1)?.place, limit })
        at = 0
      }
      stream.head = batch[at]
    },
  }
  return stream
}

/**
 * One page of what is in all of these lists. They are looked at side by side, from the same place on: the one whose
 * next hundred entries reach furthest is the sparsest there, so its entries are the ones to go through, less those
 * that another list is seen not to have. `read` has the last word: undefined for what isn't to be shown.
 */
export const readCommonPage = async <Row>(
  lists: readonly PlaceReader[],
  request: PageRequest,
  read: (places: readonly Place[]) => Promise<readonly (Row | undefined)[]>,
): Promise<Page<Row>> => {
  const rows: { place: string; row: Row }[] = []
  let { after, skip } = request
  for (let misses = 0; misses < mostMisses; ) {
    const { candidates, examined, last } = await nextCandidates(lists, { ...request, after })
    misses += examined
    for (let at = 0; at < candidates.length; ) {
      // One more than are shown tells whether more follow.
      const wanted = skip + request.limit + 1 - rows.length
      const some = candidates.slice(at, at + Math.max(batchSize / 4, wanted))
      at += some.length
      const records = await read(some)
      for (const [place, row] of some.map((candidate, index) => [candidate.place, records[index]] as const)) {
        if (row === undefined) continue
        misses -= 1
        if (skip > 0) skip -= 1
        else if (rows.length < request.limit) rows.push({ place, row })
        else return { rows, next: { after: rows.at(-1)?.place ?? place, skip: 0 } }
      }
    }
    if (last === undefined) return { rows }
    after = last
  }
  return { rows, next: after === undefined ? undefined : { after, skip } }
}

interface Batch {
  readonly places: readonly Place[]
  /** Whether the list ends here. */
  readonly isEnd: boolean
}

/** Entries that may be in all of the lists, of how many, and how far they go; not told where nothing follows. */
const nextCandidates = async (
  lists: readonly PlaceReader[],
  { after, isDescending }: Pick<PageRequest, 'after' | 'isDescending'>,
): Promise<{
  readonly candidates: readonly Place[]
  readonly examined: number
  readonly last: string | undefined
}> => {
  const batches = await Promise.all(
    lists.map(async (list): Promise<Batch> => {
      const places = await list({ after, limit: batchSize + 1, isDescending })
      return { places: places.slice(0, batchSize), isEnd: places.length <= batchSize }
    }),
  )
  const sparsest = batches.reduce((best, batch) => (reachesFurther(batch, best, isDescending) ? batch : best))
  const candidates = sparsest.places.filter((place) =>
    batches.every((batch) => mayHold(batch, place, isDescending)),
  )
  const { places, isEnd } = sparsest
  return { candidates, examined: places.length, last: isEnd ? undefined : places.at(-1)?.place }
}

const reachesFurther = (a: Batch, b: Batch, isDescending: boolean): boolean => {
  if (a.isEnd || b.isEnd) return a.isEnd && (!b.isEnd || a.places.length < b.places.length)
  const [lastOfA, lastOfB] = [a.places.at(-1), b.places.at(-1)]
  return lastOfA !== undefined && lastOfB !== undefined && comesBefore(isDescending)(lastOfB, lastOfA)
}

/** Unless the entry lies within what was read of the list and isn't there. */
const mayHold = ({ places, isEnd }: Batch, entry: Place, isDescending: boolean): boolean => {
  const last = places.at(-1)
  const isBeyond = !isEnd && last !== undefined && comesBefore(isDescending)(last, entry)
  return isBeyond || places.some(({ place }) => place === entry.place)
}

/**
 * All that is in all of these lists, when the shortest of them has no more than so many entries; else undefined,
 * without reading a record.
 */
export const readFew = async <Row>(
  lists: readonly PlaceReader[],
  most: number,
  read: (places: readonly Place[]) => Promise<readonly (Row | undefined)[]>,
): Promise<readonly Row[] | undefined> => {
  const all = await Promise.all(lists.map((list) => list({ limit: most + 1, isDescending: false })))
  const whole = all
    .filter((places) => places.length <= most)
    .map((places) => new Set(places.map(({ place }) => place)))
  const shortest = all.reduce((a, b) => (b.length < a.length ? b : a))
  if (whole.length === 0) return undefined
  const common = shortest.filter(({ place }) => whole.every((places) => places.has(place)))
  return (await read(common)).filter((row) => row !== undefined)
}
