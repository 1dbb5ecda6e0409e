import type { Key } from '../keys/keys.ts'
import { type Codec, MalformedItem, NewerItem } from './codec.ts'
import { readAll } from './listing.ts'
import type { Table } from './table.ts'
import type { Item } from './transaction.ts'

/** The records of one kind, and where they are stored. */
export interface RecordKind<Row> {
  readonly codec: Codec<Row>
  readonly keyOf: (id: number) => Key
}

/** Reads one record. @throws MalformedItem or NewerItem */
export const findRecord = async <Row>(table: Table, codec: Codec<Row>, key: Key): Promise<Row | undefined> =>
  codec.decodeOptional(await table.get(key))

/**
 * Reads the records with these IDs for a decision, in their order. Missing ones are undefined.
 *
 * @throws MalformedItem or NewerItem if one cannot be read, because a decision must not take it for missing
 */
export const readByIds = async <Row>(
  table: Table,
  { codec, keyOf }: RecordKind<Row>,
  ids: readonly number[],
): Promise<readonly (Row | undefined)[]> => (await readAll(table, ids.map(keyOf))).map(codec.decodeOptional)

/** The same to show them: one that cannot be read is undefined, too, and is reported. It must not break a list. */
export const readListedByIds = async <Row>(
  table: Table,
  { codec, keyOf }: RecordKind<Row>,
  ids: readonly number[],
): Promise<readonly (Row | undefined)[]> => readListed(table, codec, ids.map(keyOf))

/** Reads records to show them, in the order of their keys. Those that are missing or cannot be read are undefined. */
export const readListed = async <Row>(
  table: Table,
  codec: Codec<Row>,
  keys: readonly Key[],
): Promise<readonly (Row | undefined)[]> =>
  (await readAll(table, keys)).map((item) => decodeReported(table, codec, item))

/** The records of items to show them, without those that cannot be read. */
export const decodeListed = <Row>(table: Table, codec: Codec<Row>, items: readonly Item[]): readonly Row[] =>
  items.flatMap((item) => decodeReported(table, codec, item) ?? [])

const decodeReported = <Row>(table: Table, codec: Codec<Row>, item: Item | undefined): Row | undefined => {
  try {
    return codec.decodeOptional(item)
  } catch (error) {
    if (!(error instanceof MalformedItem || error instanceof NewerItem)) throw error
    table.reportUnreadable(error)
    return undefined
  }
}
