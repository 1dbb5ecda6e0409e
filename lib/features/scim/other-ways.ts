import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import { hasOtherConnection, isInvited } from '../connections/directory-account.ts'
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

/** Whether somebody other than the user made them a member, of an organization that exists and that the user did not found. */
const isGivenByOthers = (
  { userId, source }: Membership,
  organization: OrganizationRecord | undefined,
): boolean => organization !== undefined && source !== 'creation' && organization.createdBy !== userId
