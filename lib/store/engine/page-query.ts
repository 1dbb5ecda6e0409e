import { tableDefinition } from './definition.ts'
import { expressions } from './expressions.ts'

/** A part of a partition, in the order of its sort keys. */
export interface PageQuery {
  readonly pk: string
  /** Whether to read the listing index instead of the table. Then `pk` and the bounds are keys of the index. */
  readonly isListing?: boolean
  /** The first and the last sort key, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly isDescending?: boolean
  /** The maximum number of items. */
  readonly limit: number
}

const { partitionKey, sortKey, listing } = tableDefinition

/**
 * Builds the input of a query. The table is read with strong consistency. The index does not support that and may be
 * outdated for a moment.
 */
export const buildPageInput = (
  { pk, isListing = false, from, to, isDescending = false }: PageQuery,
  limit: number,
) => {
  const x = expressions()
  const [hash, range] = isListing ? [listing.partitionKey, listing.sortKey] : [partitionKey, sortKey]
  const buildRange = (): string => {
    if (from !== undefined && to !== undefined)
      return ` AND ${x.path(range)} BETWEEN ${x.value(from)} AND ${x.value(to)}`
    if (from !== undefined) return ` AND ${x.path(range)} >= ${x.value(from)}`
    return to === undefined ? '' : ` AND ${x.path(range)} <= ${x.value(to)}`
  }
  const condition = `${x.path(hash)} = ${x.value(pk)}${buildRange()}`
  return {
    ...(isListing ? { IndexName: listing.indexName } : { ConsistentRead: true }),
    KeyConditionExpression: condition,
    ...x.attributes(),
    ScanIndexForward: !isDescending,
    Limit: limit,
  }
}

/** Whether no sort key can be within the bounds. DynamoDB rejects such a query. */
export const isEmptyRange = ({ from, to }: PageQuery): boolean =>
  from !== undefined && to !== undefined && Buffer.compare(Buffer.from(from), Buffer.from(to)) > 0
