import { normalizeEmail } from '../../accounts/names/names.ts'
import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { readDefined } from '../../kernel/contract/stored-attributes.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Membership } from '../organizations/memberships.records.ts'
import { findScimUserOf } from '../provisioning/users.records.ts'
import { findCompanyAccounts } from './accounts.records.ts'
import { isBelieved, isOfDirectoryAlone } from './directory-account.ts'
import { type Connection, findConnection, type MappedAttribute, readConnections } from './records.ts'
import { isUsableAddress } from './usable-domains.ts'

/*
 * What a directory gave is changed by the directory alone, unless a setting of the connection says so. It keeps what it may change itself:
 * the name and the address of an account that it brought, the groups and the attributes that it gave, and the roles in its organization.
 */

/** The fields of a user that a directory can keep. */
export type KeptField = 'email' | 'full_name'

/** What the directory of a connection keeps of a user. */
export interface KeptByDirectory {
  readonly connection: Pick<Connection, 'id' | 'name'>
  readonly fields: readonly KeptField[]
  readonly groups: readonly number[]
  readonly attributes: readonly MappedAttribute[]
}

const keeps = ({ scim }: Pick<Connection, 'scim'>): boolean =>
  scim?.isOn === true && scim.allowsLocalChanges !== true

/** Finds what directories keep of a user. Most users have none, and take no table call. */
export const findKept = async (table: Table, user: UserRecord): Promise<readonly KeptByDirectory[]> => {
  if (!user.directories) return []
  const connections = await readConnections(table, user.directories)
  const found = await Promise.all(
    connections.map((connection) =>
      connection && keeps(connection) ? findKeptBy(table, connection, user) : undefined,
    ),
  )
  return found.flatMap((kept) =>
    kept && kept.fields.length + kept.groups.length + kept.attributes.length > 0 ? [kept] : [],
  )
}

const findKeptBy = async (
  table: Table,
  connection: Connection,
  user: UserRecord,
): Promise<KeptByDirectory> => {
  const { id, name } = connection
  const [accounts, known] = await Promise.all([
    findCompanyAccounts(table, user),
    findScimUserOf(table, id, user.id),
  ])
  const ofConnection = accounts.filter(({ providerId }) => providerId === id)
  const given = ofConnection.flatMap(({ directoryGroups = [] }) => directoryGroups)
  const givenAttributes = new Set(ofConnection.flatMap(({ directoryAttributes = [] }) => directoryAttributes))
  const isPresent = known?.person.isActive === true && !known.isDeleted
  const isBrought = isPresent && known.person.madeUser === true
  const isItsOwn =
    isBrought && isBelieved(connection, user) && (await isOfDirectoryAlone(table, connection, user))
  const hasItsAddress =
    user.email !== null && hasVerifiedEmail(user) && isUsableAddress(connection, user.email)
  const { userId, agrees, attributes: agreed = [] } = known?.person.agreement ?? {}
  const hasAgreed = isPresent && agrees === true && userId === user.id
  return {
    connection: { id, name },
    fields: [
      ...(isItsOwn || hasAgreed ? (['full_name'] as const) : []),
      ...(isItsOwn && hasItsAddress ? (['email'] as const) : []),
    ],
    groups: given.filter((group) => user.groups.includes(group)),
    attributes: (connection.scim?.userAttributes ?? []).filter(
      ({ key }) => givenAttributes.has(key) && (isItsOwn || (hasAgreed && agreed.includes(key))),
    ),
  }
}

/** @throws AppError `conflict` with the reason `managed_by_directory` if an edit changes what a directory keeps */
export const requireUserNotKept = async (
  table: Table,
  before: UserRecord,
  after: UserRecord,
): Promise<void> => {
  const fields = listChanged(before, after)
  const left = before.groups.filter((group) => !after.groups.includes(group))
  const keys = listChangedAttributes(before, after)
  if (fields.length + left.length + keys.length === 0) return
  for (const kept of await findKept(table, before)) {
    const changed = fields.filter((field) => kept.fields.includes(field))
    const groups = left.filter((group) => kept.groups.includes(group))
    const attributes = await findDefined(
      table,
      kept.attributes.filter(({ key }) => keys.includes(key)),
    )
    if (changed.length + groups.length + attributes.length > 0)
      throw createKeptError(kept.connection, [
        ...changed,
        ...(groups.length > 0 ? ['groups'] : []),
        ...attributes.map(({ to }) => `attributes.${to}`),
      ])
  }
}

const listChanged = (before: UserRecord, after: UserRecord): readonly KeptField[] => [
  ...(after.full_name === before.full_name ? [] : (['full_name'] as const)),
  ...(after.normalizedEmail === before.normalizedEmail && !asksForAddress(before, after)
    ? []
    : (['email'] as const)),
]

/** Values of attributes that were removed leave an account with each change. */
const findDefined = async (
  table: Table,
  attributes: readonly MappedAttribute[],
): Promise<readonly MappedAttribute[]> => {
  if (attributes.length === 0) return []
  const defined = new Set((await findUserAttributes(table)).map(({ key }) => key))
  return attributes.filter(({ key }) => defined.has(key))
}

/** The keys of the attributes with another value. */
const listChangedAttributes = (before: UserRecord, after: UserRecord): readonly string[] => {
  if (before.attributes === after.attributes) return []
  const [old, changed] = [readDefined(before.attributes), readDefined(after.attributes)]
  return [...new Set([...old.keys(), ...changed.keys()])].filter(
    (key) => JSON.stringify(old.get(key)) !== JSON.stringify(changed.get(key)),
  )
}

/** Whether an edit asks for a confirmation of another address. */
const asksForAddress = (before: UserRecord, { pendingEmail }: UserRecord): boolean =>
  pendingEmail !== undefined &&
  pendingEmail.normalizedEmail !== normalizeEmail(before.email ?? '') &&
  pendingEmail.normalizedEmail !== before.pendingEmail?.normalizedEmail

/** Finds the roles that directories keep, by the IDs of the members. */
export const findKeptRoles = async (
  table: Table,
  memberships: readonly Membership[],
): Promise<ReadonlyMap<number, { readonly name: string; readonly roles: string[] }>> => {
  const given = memberships.filter(({ rolesFromDirectory = [] }) => rolesFromDirectory.length > 0)
  const ids = [...new Set(given.flatMap(({ directoryId }) => directoryId ?? []))]
  const names = new Map(
    (await readConnections(table, ids)).flatMap((connection) =>
      connection && keeps(connection) ? [[connection.id, connection.name] as const] : [],
    ),
  )
  return new Map(
    given.flatMap(({ userId, directoryId, rolesFromDirectory = [] }) => {
      const name = names.get(directoryId ?? 0)
      return name === undefined ? [] : [[userId, { name, roles: [...rolesFromDirectory] }] as const]
    }),
  )
}

/** @throws AppError `conflict` with the reason `managed_by_directory` if an edit takes roles that a directory gave */
export const requireRolesNotKept = async (
  table: Table,
  { directoryId, rolesFromDirectory = [] }: Membership,
  after: Membership,
): Promise<void> => {
  if (directoryId === undefined || rolesFromDirectory.every((role) => after.roles.includes(role))) return
  const connection = await findConnection(table, directoryId)
  if (connection && keeps(connection)) throw createKeptError(connection, ['roles'])
}

const createKeptError = (
  { id, name }: Pick<Connection, 'id' | 'name'>,
  fields: readonly string[],
): AppError =>
  new AppError('conflict', {
    reason: 'managed_by_directory',
    detail: `The directory of the connection ${name} keeps ${fields.join(', ')}. Change it there, or let people change it here in the settings of the directory.`,
    members: { managed_by_directory: { connection: id, name, fields } },
  })
