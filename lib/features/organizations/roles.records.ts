import type { Key } from '../../kernel/table/keys/keys.ts'
import {
  organizationRightsCopies,
  organizationRightsKey,
  organizationRolesKey,
} from '../../kernel/table/keys/organization-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import { buildSettingsStep } from '../../kernel/table/replace-settings.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Item, Step } from '../../kernel/table/transaction.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import type { ApiTexts } from '../oauth/protected-apis.records.ts'
import type { OrganizationRole } from './models.ts'

/*
 * All organizations have the same roles, so each request that names one reads them. DynamoDB limits the reads of each item. So what the
 * roles allow is stored without texts and in equal copies, of which a request reads one at random. Only one transaction writes them,
 * together with the whole roles: the copies never differ, and a change has an effect from the next request on.
 */

/** What a role allows, without the texts of pages. */
export type RoleRights = Stored<Omit<OrganizationRole, 'texts'>>

/** A role as administrators declare it. */
export type DeclaredRole = RoleRights & {
  readonly texts: ApiTexts
}

export interface StoredRoles {
  readonly roles: readonly DeclaredRole[]
  readonly version: number
}

const codec = createCodec<StoredRoles>('roles of organizations', { roles: 'list', version: 'number' })

/** The declared roles with their texts. Undefined if there were never any. What a request decides with, it reads from a copy. */
export const findStoredRoles = (table: Table): Promise<StoredRoles | undefined> =>
  findRecord(table, codec, organizationRolesKey)

/** Roles share most permissions, so each has its name once. A role has the places of its permissions, such as `0 1 12`. */
interface StoredRights {
  readonly names: readonly string[]
  readonly roles: readonly (Omit<RoleRights, 'permissions'> & { readonly places: string })[]
}

const rightsCodec = createCodec<StoredRights>('rights of organizations', { names: 'list', roles: 'list' })

const buildRights = (roles: readonly RoleRights[]): StoredRights => {
  const names = [...new Set(roles.flatMap(({ permissions }) => permissions))]
  const placeOf = new Map(names.map((name, place) => [name, place]))
  return {
    names,
    roles: roles.map(({ key, permissions, given_by }) => ({
      ...{ key, given_by },
      places: permissions.map((name) => placeOf.get(name)).join(' '),
    })),
  }
}

/** The key of any of the copies. Choose one for each call of the table. */
export const chooseRightsKey = (): Key =>
  organizationRightsKey(Math.floor(Math.random() * organizationRightsCopies))

/** What a copy says. There are no copies before roles were declared for the first time. */
export const decodeRights = (item: Item | undefined): readonly RoleRights[] => {
  const { names, roles } = rightsCodec.decodeOptional(item) ?? { names: [], roles: [] }
  return roles.map(({ places, ...role }) => ({
    ...role,
    permissions: (places.match(/\d+/g) ?? []).flatMap((place) => names[Number(place)] ?? []),
  }))
}

/** What the declared roles allow. */
export const findRights = async (table: Table): Promise<readonly RoleRights[]> =>
  decodeRights(await table.get(chooseRightsKey()))

/** A role without its texts. */
export const toRights = ({ key, permissions, given_by }: RoleRights): RoleRights => ({
  key,
  permissions,
  given_by,
})

/** Replaces the roles that were read before, and all copies. @throws EditConflict if they were changed since */
export const replaceRoles = (
  table: Table,
  before: StoredRoles | undefined,
  roles: readonly DeclaredRole[],
  extraSteps: readonly Step[],
): Promise<void> => {
  const rights = rightsCodec.encode(buildRights(roles))
  const copies = Array.from(
    { length: organizationRightsCopies },
    (_, copy): Step => ({ put: { ...organizationRightsKey(copy), ...rights } }),
  )
  return table.transact([
    buildSettingsStep({ key: organizationRolesKey, before, fields: { roles } }),
    ...copies,
    ...extraSteps,
  ])
}
