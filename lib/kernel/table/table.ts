import { expressions, type Update } from './expressions.ts'
import type { Key } from './keys/keys.ts'
import type { Item, Step } from './transaction.ts'

/**
 * The only table, as the deployed stack and local mode create it. Keys are strings. The indexes contain only keys, so
 * that a listing costs as much as its page and never reads the other attributes of a record. An item without the keys of an
 * index is not in it.
 */
export const tableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may remove an item. Because it does so late, reads check the time as well. */
  ttlAttribute: 'expires_at',
  indexProjection: 'KEYS_ONLY',
  indexes: {
    /** Lists of records in several orders. */
    listing: { partitionKey: 'lpk', sortKey: 'lsk' },
    // Audit events are in order of time in the table. So their indexes use its sort key.
    'events-by-actor': { partitionKey: 'byActor', sortKey: 'sk' },
    'events-by-credential': { partitionKey: 'byCredential', sortKey: 'sk' },
    'events-by-organization': { partitionKey: 'byOrganization', sortKey: 'sk' },
  },
} as const

export type IndexName = keyof typeof tableDefinition.indexes

/** The names of all indexes of the table. */
export const indexNames = Object.keys(tableDefinition.indexes) as readonly IndexName[]

/** The names of the keys of the table, or of one of its indexes. */
export const keyNamesOf = (
  index: IndexName | undefined,
): { readonly partitionKey: string; readonly sortKey: string } =>
  index === undefined ? tableDefinition : tableDefinition.indexes[index]

/** IDs that follow each other, and the time when their block was reserved, in epoch milliseconds. */
export interface ReservedIds {
  readonly first: number
  /** Never before the time of a lower ID of the same counter. */
  readonly at: number
}

export interface TransactOptions {
  /**
   * Whether the caller reads what is stored if the transaction is rejected, and so notices that an earlier attempt was
   * committed although its answer was lost. Then the call needs no token that DynamoDB has to remember.
   */
  readonly recognizesOwnWrites?: boolean
}

export interface TableReads {
  get(key: Key): Promise<Item | undefined>
  /** Reads up to 100 items in one call. The result has the order of the keys, and undefined for missing items. */
  getMany(keys: readonly Key[]): Promise<readonly (Item | undefined)[]>
  /** All items of a partition whose sort key begins with `prefix`. */
  list(pk: string, prefix: string): Promise<readonly Item[]>
  /** Some items of a partition of the table or of an index, in order. An index returns only keys. */
  page(query: PageQuery): Promise<readonly Item[]>
  /** Reports an item that a list leaves out, because this version cannot read it. */
  reportUnreadable(error: Error): void
}

export interface TableWrites {
  /** Writes an item, whether it exists or not. */
  put(item: Item): Promise<void>
  /** Puts an item if there is none, or only an expired one. @throws ConditionFailed */
  reserve(item: Item): Promise<void>
  /** Changes an item in one conditional write and returns the changed item. @throws ConditionFailed */
  update(key: Key, changes: Update): Promise<Item>
  /**
   * The same in one attempt, for a write that a request should not wait for. Another write, the load or the network can get
   * in the way of it.
   *
   * @throws ConditionFailed, a `BusyError`, or an error without a clear answer: then it is unknown whether it was written
   */
  tryUpdate(key: Key, changes: Update): Promise<void>
  /**
   * Uses a one-time item. Of any number of callers one gets it. The others get undefined, and so does everyone once it
   * has expired. The item is marked instead of deleted, so that a caller whose answer was lost still gets it. It stays
   * unused, and is not returned, if it has another value of an attribute in `given`.
   */
  take(key: Key, nowSeconds: number, given?: Readonly<Record<string, string>>): Promise<Item | undefined>
  /** @throws the error of the first failing step that has one (`orElse`), or else ConditionFailed. */
  transact(steps: readonly Step[], options?: TransactOptions): Promise<void>
  /**
   * Takes `count` IDs (default 1) that follow each other, from a block of the counter: see `id-blocks.ts`. No ID is taken
   * twice. IDs may be left out. `nowMs` is the current time in epoch milliseconds.
   */
  nextIds(key: Key, count?: number, nowMs?: number): Promise<ReservedIds>
}

/**
 * The only table. Reads are strongly consistent. A call that conflicts with another transaction is retried. If the
 * answer to a conditional write was lost, the write is neither repeated nor reported as failed.
 */
export interface Table extends TableReads, TableWrites {}

/** A part of a partition, in the order of its sort keys. */
export interface PageQuery {
  readonly pk: string
  /** The index to read instead of the table. Then `pk` and the bounds are keys of the index. */
  readonly index?: IndexName | undefined
  /** The first and the last sort key, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly isDescending?: boolean
  /** The maximum number of items. */
  readonly limit: number
}

/**
 * Builds the input of a query. The table is read with strong consistency. An index does not support that and may be
 * outdated for a moment.
 */
export const buildPageInput = ({ pk, index, from, to, isDescending = false }: PageQuery, limit: number) => {
  const x = expressions()
  const { partitionKey: hash, sortKey: range } = keyNamesOf(index)
  const buildRange = (): string => {
    if (from !== undefined && to !== undefined)
      return ` AND ${x.path(range)} BETWEEN ${x.value(from)} AND ${x.value(to)}`
    if (from !== undefined) return ` AND ${x.path(range)} >= ${x.value(from)}`
    return to === undefined ? '' : ` AND ${x.path(range)} <= ${x.value(to)}`
  }
  const condition = `${x.path(hash)} = ${x.value(pk)}${buildRange()}`
  return {
    ...(index ? { IndexName: index } : { ConsistentRead: true }),
    KeyConditionExpression: condition,
    ...x.attributes(),
    ScanIndexForward: !isDescending,
    Limit: limit,
  }
}

/** Whether no sort key can be within the bounds. DynamoDB rejects such a query. */
export const isEmptyRange = ({ from, to }: PageQuery): boolean =>
  from !== undefined && to !== undefined && Buffer.compare(Buffer.from(from), Buffer.from(to)) > 0
