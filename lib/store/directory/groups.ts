import { createCodec } from '../engine/codec.ts'
import { readAll } from '../engine/listing.ts'
import { idMarkerCodec } from '../engine/markers.ts'
import { findRecord, readByIds } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { UniqueNameKind, UniqueNameRecord } from '../engine/unique-name-records.ts'
import { groupKey, nameKey } from '../keys/keys.ts'

/** The groups of these IDs that exist. Makes no call if there are no IDs. */
export const findGroups = async (table: Table, ids: readonly number[]): Promise<readonly GroupRecord[]> =>
  (await readGroups(table, [...new Set(ids)])).filter((group) => group !== undefined)

export const findGroup = (table: Table, id: number): Promise<GroupRecord | undefined> =>
  findRecord(table, groupKind.codec, groupKind.keyOf(id))

/** The groups of these IDs, in their order. Missing ones are undefined. */
export const readGroups = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (GroupRecord | undefined)[]> => readByIds(table, groupKind, ids)

/** The IDs for normalized names, in their order. Undefined for a name that no group has. */
export const findGroupIds = async (
  table: Table,
  normalizedNames: readonly string[],
): Promise<readonly (number | undefined)[]> => {
  const keys = normalizedNames.map((name) => nameKey('group', name))
  return (await readAll(table, keys)).map((item) => idMarkerCodec.decodeOptional(item)?.id)
}

/** A group as stored. Its members are separate items: see `directory/memberships.ts`. */
export interface GroupRecord extends UniqueNameRecord {
  readonly permissions: readonly string[]
  /** What only published clients store with a group, as JSON text: see `contract/published-clients/stored-fields.ts`. */
  readonly clientFields: string
}

export const groupKind: UniqueNameKind<GroupRecord> = {
  name: 'group',
  keyOf: groupKey,
  codec: createCodec<GroupRecord>('group', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    permissions: 'list',
  }),
}
