import { organizationRolesKey } from '../../kernel/table/keys/organization-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import { replaceSettings } from '../directory/replace-settings.records.ts'
import type { ApiTexts } from '../oauth/protected-apis.records.ts'
import type { OrganizationRole } from './models.ts'

/** A role as administrators declare it. */
export type DeclaredRole = Stored<Omit<OrganizationRole, 'texts'>> & {
  readonly texts: ApiTexts
}

export interface StoredRoles {
  readonly roles: readonly DeclaredRole[]
  readonly version: number
}

const codec = createCodec<StoredRoles>('roles of organizations', { roles: 'list', version: 'number' })
export const decodeRoles = codec.decodeOptional

/** The declared roles. Undefined if there were never any. */
export const findStoredRoles = (table: Table): Promise<StoredRoles | undefined> =>
  findRecord(table, codec, organizationRolesKey)

/** Replaces the roles that were read before. @throws EditConflict if they were changed since */
export const replaceRoles = (
  table: Table,
  before: StoredRoles | undefined,
  roles: readonly DeclaredRole[],
  extraSteps: readonly Step[],
): Promise<void> =>
  replaceSettings(table, { key: organizationRolesKey, before, fields: { roles } }, extraSteps)
