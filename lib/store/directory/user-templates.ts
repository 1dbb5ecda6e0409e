import { userTemplateKey } from '../engine/keys.ts'
import { readAll } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import { findUniqueNameRecord, type UniqueNameRecord } from '../engine/unique-name-records.ts'

/** What a user that is made automatically starts with. */
export interface UserTemplateRecord extends UniqueNameRecord {
  readonly permissions: readonly string[]
  readonly groups: readonly number[]
  readonly language: string | null
  readonly defaultPage: string
  readonly isExternal: boolean
}

export const findUserTemplate = (table: Table, id: number): Promise<UserTemplateRecord | undefined> =>
  findUniqueNameRecord(table, 'user-template', id)

/** The templates of these ids, each in its place; undefined for one that is gone. */
export const readUserTemplates = async (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserTemplateRecord | undefined)[]> =>
  (await readAll(table, ids.map(userTemplateKey))) as unknown as readonly (UserTemplateRecord | undefined)[]
