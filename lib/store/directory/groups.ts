import { groupKey, nameKey } from '../engine/keys.ts'
import { readAll } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import { findUniqueNameRecord, type UniqueNameRecord } from '../engine/unique-name-records.ts'

/** A group as stored; its members are items of their own: see `memberships.ts`. */
export interface GroupRecord extends UniqueNameRecord {
  readonly permissions: readonly string[]
  /** JSON text, so that whatever was given comes back as it was. */
  readonly ldap: string
  readonly ldapDn: string | null
  readonly ldapGuid: string | null
  readonly unixGroupname: string | null
  readonly gid: number | null
}

/** Those of the groups that exist, in no call at all when none is asked for. */
export const findGroups = async (table: Table, ids: readonly number[]): Promise<readonly GroupRecord[]> =>
  (await readGroups(table, [...new Set(ids)])).filter((group) => group !== undefined)

export const findGroup = (table: Table, id: number): Promise<GroupRecord | undefined> =>
  findUniqueNameRecord(table, 'group', id)

/** The groups of these ids, each in its place; undefined for one that is gone. */
export const readGroups = async (
  table: Table,
  ids: readonly number[],
): Promise<readonly (GroupRecord | undefined)[]> =>
  (await readAll(table, ids.map(groupKey))) as unknown as readonly (GroupRecord | undefined)[]

/** The ids behind normalized names, each in the place of its name; undefined where no group has it. */
export const findGroupIds = async (
  table: Table,
  foldedNames: readonly string[],
): Promise<readonly (number | undefined)[]> => {
  const markers = await readAll(
    table,
    foldedNames.map((name) => nameKey('group', name)),
  )
  return markers.map((marker) => marker?.['id'] as number | undefined)
}
