import type { Key } from '../keys/keys.ts'
import type { Codec } from './codec.ts'
import { readAll } from './listing.ts'
import type { Table } from './table.ts'

/** Reads one record. @throws MalformedItem */
export const findRecord = async <Row>(table: Table, codec: Codec<Row>, key: Key): Promise<Row | undefined> =>
  codec.decodeOptional(await table.get(key))

/** Reads any number of records, 100 per call, in the order of their keys. Missing ones are undefined. */
export const readRecords = async <Row>(
  table: Table,
  codec: Codec<Row>,
  keys: readonly Key[],
): Promise<readonly (Row | undefined)[]> => (await readAll(table, keys)).map(codec.decodeOptional)

/** Reads the records with these IDs, in their order. Missing ones are undefined. */
export const readByIds = <Row>(
  table: Table,
  { codec, keyOf }: { readonly codec: Codec<Row>; readonly keyOf: (id: number) => Key },
  ids: readonly number[],
): Promise<readonly (Row | undefined)[]> => readRecords(table, codec, ids.map(keyOf))
