import type { Page, PageRequest, PageRow } from './listing.ts'

/** An entry of a list that may match. */
export interface Candidate {
  readonly id: number
  /** The position of the record in the requested order. */
  readonly indexKey: string
  /** Whether the entry is enough to know that the record matches. The record confirms it before it is shown. */
  readonly isDecided: boolean
}

/** How a search reads and confirms records. */
export interface RecordSearch<Row> {
  /** Reads the records with these IDs, in their order. Missing ones are undefined. */
  readonly read: (ids: readonly number[]) => Promise<readonly (Row | undefined)[]>
  /** Whether a record matches as it is now. */
  readonly keep: (row: Row) => boolean
}

/** A page that fills up with the records that a search keeps. */
export interface SearchPage<Row> {
  readonly rows: readonly PageRow<Row>[]
  /** Adds candidates in order. Returns where to continue once the page is full, or has read too many records. */
  readonly add: (candidates: readonly Candidate[]) => Promise<Page<Row>['next']>
  /** How much of the offset remains to be skipped. */
  readonly getSkip: () => number
}

/** Most candidates that are decided are a result, most others are not. */
const leastBatch = { decided: 25, undecided: 200 }

/** Builds a page. It ends after `mostMisses` records that were read without a result. */
export const createSearchPage = <Row>(
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
