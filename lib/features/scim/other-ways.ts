import { isCredentialRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { readEntries, readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findCompanyAccounts, isCompanyAccountRevoked } from '../connections/accounts.records.ts'
import { isPublic } from '../connections/public-connections.ts'
import { type Connection, readConnections } from '../connections/records.ts'
import { findUserTemplate } from '../directory/templates/templates.records.ts'
import {
  getMembershipsListing,
  type Membership,
  readMembershipEntry,
} from '../organizations/memberships.records.ts'
import { type OrganizationRecord, readOrganizations } from '../organizations/records.ts'

/*
 * What leads to an account besides a directory of the whole service. Only what somebody else gave counts: people add passwords, passkeys,
 * accounts at public providers and organizations themselves, and would stay with them after they left.
 */

/** Ways that can need the password, other connections alone, or none. */
export type OtherWays = 'own' | 'connection' | 'none'

const membershipsRead = 100

/** Finds the ways to an account that somebody other than its user and this connection gave. */
export const findOtherWays = async (
  table: Table,
  connectionId: number,
  user: UserRecord,
): Promise<OtherWays> => {
  if (isInvited(user)) return 'own'
  let hasOther = await hasOtherConnection(table, connectionId, user)
  for await (const entries of readEntryPages(table, getMembershipsListing(user.id), membershipsRead)) {
    const memberships = entries.map(readMembershipEntry)
    const organizations = await readOrganizations(
      table,
      memberships.map(({ organizationId }) => organizationId),
    )
    const given = memberships.filter((membership, at) => isGivenByOthers(membership, organizations[at]))
    // The sign-in of the organization made the others, and is their way.
    if (given.some(({ source }) => source !== 'connection')) return 'own'
    hasOther ||= given.length > 0
  }
  return hasOther ? 'connection' : 'none'
}

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
const isInvited = (user: UserRecord): boolean => {
  const { acceptedAt, invitedBy } = user.invitation ?? {}
  return acceptedAt !== undefined && invitedBy !== user.id && !isCredentialRevoked(user, acceptedAt)
}

/** Whether somebody other than the user made them a member, of an organization that exists and that the user did not found. */
const isGivenByOthers = (
  { userId, source }: Membership,
  organization: OrganizationRecord | undefined,
): boolean => organization !== undefined && source !== 'creation' && organization.createdBy !== userId

/** Whether another company signs the user in. The connections of organizations count by the memberships there. */
const hasOtherConnection = async (table: Table, connectionId: number, user: UserRecord): Promise<boolean> => {
  const accounts = await findCompanyAccounts(table, user)
  const ids = accounts
    .filter((account) => account.providerId !== connectionId && !isCompanyAccountRevoked(account))
    .map(({ providerId }) => providerId)
  const connections = await readConnections(table, [...new Set(ids)])
  return connections.some((one) => one && !one.setup && one.organization_id === null && !isPublic(one))
}
