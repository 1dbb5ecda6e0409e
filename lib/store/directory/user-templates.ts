import { findRecord, readByIds } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import { type UserTemplateRecord, userTemplateKind } from '../records/user-template-record.ts'

export const findUserTemplate = (table: Table, id: number): Promise<UserTemplateRecord | undefined> =>
  findRecord(table, userTemplateKind.codec, userTemplateKind.keyOf(id))

/** The templates of these IDs, in their order. Missing ones are undefined. */
export const readUserTemplates = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserTemplateRecord | undefined)[]> => readByIds(table, userTemplateKind, ids)
