import type { StoredFields } from '../../../kernel/contract/projection.ts'
import { userTemplateKey } from '../../../kernel/table/keys/keys.ts'
import { createCodec, findRecord, readListedByIds } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { UniqueNameKind, UniqueNameRecord } from '../../../kernel/table/unique-name-records.ts'
import type { UserTemplate } from './templates.models.ts'

export const findUserTemplate = (table: Table, id: number): Promise<UserTemplateRecord | undefined> =>
  findRecord(table, userTemplateKind.codec, userTemplateKind.keyOf(id))

/** The templates of these IDs, in their order, to list them. Missing and unreadable ones are undefined. */
export const readUserTemplates = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserTemplateRecord | undefined)[]> => readListedByIds(table, userTemplateKind, ids)

/** The initial fields of users who are created automatically. */
export interface UserTemplateRecord extends UniqueNameRecord, StoredFields<typeof UserTemplate.def.shape> {}

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
    is_external: 'boolean',
  }),
}
