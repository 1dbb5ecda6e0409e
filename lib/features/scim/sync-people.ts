import { findUser } from '../../accounts/users/find-users.records.ts'
import { mapInBatches } from '../../kernel/util/work.ts'
import { syncDirectoryAttributes } from '../connections/directory-attributes.ts'
import { type DirectoryGroupsOptions, syncDirectoryGroups } from '../connections/directory-groups.ts'
import { findScimUsers, type ScimUserRecord } from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import type { ScimContext } from './scim-context.ts'

const syncedAtOnce = 8

/** Gives a person with an account what their groups give, and takes what they gave before. */
export const syncPerson = async (
  scim: ScimContext,
  person: ScimUserRecord,
  options: DirectoryGroupsOptions = {},
): Promise<void> => {
  const { services, caller, context } = scim
  const userId = await findOwnerId(scim, person)
  const user = userId === undefined ? undefined : await findUser(services.table, userId)
  if (!user) return
  const connection = { services, provider: caller.connection, context }
  const synced = await syncDirectoryGroups(connection, person, user, options)
  await syncDirectoryAttributes(connection, person, synced)
}

/** Gives the account of a person what the directory has of them. */
export const syncAttributes = async (scim: ScimContext, person: ScimUserRecord): Promise<void> => {
  const { services, caller, context } = scim
  if (!caller.connection.scim?.userAttributes?.length) return
  const userId = await findOwnerId(scim, person)
  const user = userId === undefined ? undefined : await findUser(services.table, userId)
  if (user) await syncDirectoryAttributes({ services, provider: caller.connection, context }, person, user)
}

/** The same for people by their IDs. */
export const syncPeople = async (
  scim: ScimContext,
  ids: readonly string[],
  options: DirectoryGroupsOptions = {},
): Promise<void> => {
  const people = await findScimUsers(scim.services.table, scim.caller.connection.id, ids)
  const withAccount = people.filter(({ userId }) => userId !== undefined)
  await mapInBatches(withAccount, syncedAtOnce, (person) => syncPerson(scim, person, options))
}
