import { tableDefinition } from './definition.ts'
import { expressions } from './expressions.ts'

/** A part of a partition, in the order of its sort keys. */
export interface PageQuery {
  readonly pk: string
  /** The listing index instead of the table itself: `pk` and the bounds are then those of its own keys. */
  readonly isListing?: boolean
  /** The first and the last sort key that count, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly isDescending?: boolean
  /** How many at most. */
  readonly limit: number
}

const { partitionKey, sortKey, listing } = tableDefinition

/**
 * What a query is asked with. The table is read strongly consistently; the index can't be, and may lag behind
 * the table for a moment.
 */
export const pageInput = (
  { pk, isListing = false, from, to, isDescending = false }: PageQuery,
  limit: number,
) => {
  const x = expressions()
  const [hash, range] = isListing ? [listing.partitionKey, listing.sortKey] : [partitionKey, sortKey]
  const within = (): string => {
    if (from !== undefined && to !== undefined)
      return ` AND ${x.path(range)} BETWEEN ${x.value(from)} AND ${x.value(to)}`
    if (from !== undefined) return ` AND ${x.path(range)} >= ${x.value(from)}`
    return to === undefined ? '' : ` AND ${x.path(range)} <= ${x.value(to)}`
  }
  const condition = `${x.path(hash)} = ${x.value(pk)}${within()}`
  return {
    ...(isListing ? { IndexName: listing.indexName } : { ConsistentRead: true }),
    KeyConditionExpression: condition,
    ...x.attributes(),
    ScanIndexForward: !isDescending,
    Limit: limit,
  }
}

/** Whether no sort key can lie within the bounds; the table would refuse to be asked. */
export const isEmptySpan = ({ from, to }: PageQuery): boolean =>
  from !== undefined && to !== undefined && Buffer.compare(Buffer.from(from), Buffer.from(to)) > 0
