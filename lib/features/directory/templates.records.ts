import { userTemplateKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord, readListedByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { UniqueNameKind, UniqueNameRecord } from '../../kernel/table/unique-name-records.ts'

export const findUserTemplate = (table: Table, id: number): Promise<UserTemplateRecord | undefined> =>
  findRecord(table, userTemplateKind.codec, userTemplateKind.keyOf(id))

/** The templates of these IDs, in their order, to list them. Missing and unreadable ones are undefined. */
export const readUserTemplates = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserTemplateRecord | undefined)[]> => readListedByIds(table, userTemplateKind, ids)

/** The initial fields of users who are created automatically. */
export interface UserTemplateRecord extends UniqueNameRecord {
  readonly permissions: readonly string[]
  readonly groups: readonly number[]
  readonly language: string | null
  readonly defaultPage: string
  readonly isExternal: boolean
}

export const userTemplateKind: UniqueNameKind<UserTemplateRecord> = {
  name: 'user-template',
  keyOf: userTemplateKey,
  codec: createCodec<UserTemplateRecord>('user template', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    permissions: 'list',
    groups: 'list',
    isExternal: 'boolean',
  }),
}
