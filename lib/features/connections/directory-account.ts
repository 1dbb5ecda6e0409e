import { isCredentialRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { readEntries } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findUserTemplate } from '../directory/templates/templates.records.ts'
import { getMembershipsListing, readMembershipEntry } from '../organizations/memberships.records.ts'
import { findCompanyAccounts, isCompanyAccountRevoked } from './accounts.records.ts'
import { isPublic } from './public-connections.ts'
import { type Connection, readConnections } from './records.ts'
import { isUsableAddress } from './usable-domains.ts'

/* What decides whether a directory may change an account. */

/**
 * Whether an account has nothing but what this connection gave: no other way in, no membership elsewhere, and no right or role that somebody
 * gave. What its user made counts, too: a change of the address by the directory must not take it over.
 */
export const isOfDirectoryAlone = async (
  table: Table,
  { id, organization_id: served, user_template: templateId }: Connection,
  user: UserRecord,
): Promise<boolean> => {
  if (isInvited(user) || (await hasOtherConnection(table, id, user))) return false
  const [memberships, accounts, template] = await Promise.all([
    readEntries(table, getMembershipsListing(user.id), { after: undefined, limit: 2, isDescending: false }),
    findCompanyAccounts(table, user),
    templateId === null ? undefined : findUserTemplate(table, templateId),
  ])
  const isOwn = memberships
    .map(readMembershipEntry)
    .every(({ organizationId, rolesGivenBy }) => organizationId === served && rolesGivenBy === null)
  const ofConnection = accounts.filter(({ providerId }) => providerId === id)
  const groups = new Set([
    ...(template?.groups ?? []),
    ...ofConnection.flatMap((account) => [...account.groups, ...(account.directoryGroups ?? [])]),
  ])
  return (
    isOwn &&
    user.groups.every((group) => groups.has(group)) &&
    user.permissions.every((permission) => template?.permissions.includes(permission))
  )
}

/** Whether somebody who manages users invited the user, and no company took over the account since. Who signs up invites themselves. */
export const isInvited = (user: UserRecord): boolean => {
  const { acceptedAt, invitedBy } = user.invitation ?? {}
  return acceptedAt !== undefined && invitedBy !== user.id && !isCredentialRevoked(user, acceptedAt)
}

/** Whether another company signs the user in. The connections of organizations count by the memberships there. */
export const hasOtherConnection = async (
  table: Table,
  connectionId: number,
  user: UserRecord,
): Promise<boolean> => {
  const accounts = await findCompanyAccounts(table, user)
  const ids = accounts
    .filter((account) => account.providerId !== connectionId && !isCompanyAccountRevoked(account))
    .map(({ providerId }) => providerId)
  const connections = await readConnections(table, [...new Set(ids)])
  return connections.some((one) => one && !one.setup && one.organization_id === null && !isPublic(one))
}

/** Whether the connection still speaks for the address of the account. */
export const isBelieved = (connection: Connection, { email, verifiedBy }: UserRecord): boolean =>
  email === null || verifiedBy !== 'company' || isUsableAddress(connection, email)

/** The directories that gave a user something, with one more. */
export const addDirectory = (
  { directories = [] }: UserRecord,
  { id }: Pick<Connection, 'id'>,
): readonly number[] => (directories.includes(id) ? directories : [...directories, id])
