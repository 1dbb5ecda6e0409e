import { sortableId } from '../../util/sortable-id.ts'
import { type Key, settingsKey, sortableNumber } from './keys.ts'
import { carryText } from './listing-keys.ts'
import { partitions } from './partitions.ts'

export const organizationKey = (id: number): Key => ({
  pk: `${partitions.organization}${id}`,
  sk: 'organization',
})
/** How many members and owners an organization has. Each join writes it, so it is not the record that all tokens read. */
export const organizationCountsKey = (id: number): Key => ({
  pk: `${partitions.organization}${id}`,
  sk: 'counts',
})
/** Which invitations of an organization are open. */
export const openInvitationsKey = (id: number): Key => ({
  pk: `${partitions.organization}${id}`,
  sk: 'open-invitations',
})
export const organizationTokenPrefix = 'api-token#'
/** An API token of the organization, by the hash of its value. */
export const organizationTokenKey = (id: number, hash: string): Key => ({
  pk: `${partitions.organization}${id}`,
  sk: `${organizationTokenPrefix}${hash}`,
})
export const organizationTokenCountKey = (id: number): Key => ({
  pk: `${partitions.organization}${id}`,
  sk: 'api-tokens',
})
/** The organization that has or had a slug, by how the slug looks. */
export const organizationSlugKey = (look: string): Key => ({
  pk: `${partitions.organizationSlug}${look}`,
  sk: 'slug',
})
export const organizationExternalIdKey = (externalId: string): Key => ({
  pk: `${partitions.organizationExternalId}${externalId}`,
  sk: 'external-id',
})
export const organizationConnectionsPartition = (id: number): string =>
  `${partitions.organizationConnections}${id}`
export const placePrefix = 'place#'
/** One of the few places that an organization has for connections. */
export const organizationConnectionKey = (id: number, place: number): Key => ({
  pk: organizationConnectionsPartition(id),
  sk: `${placePrefix}${place}`,
})
/** An event of an organization, by the index key of the audit event that it is a part of. */
export const organizationEventKey = (id: number, indexKey: string): Key => ({
  pk: `${partitions.organizationEvents}${id}`,
  sk: indexKey,
})
export const organizationEndingPrefix = 'ending#'
/** An organization that will be deleted, in the order of time. */
export const organizationEndingKey = (endsAt: number, id: number): Key => ({
  pk: partitions.organizationEndings,
  sk: `${organizationEndingPrefix}${sortableNumber(endsAt)}#${sortableId(id)}`,
})
export const organizationCleanUpPrefix = 'clean-up#'
/** A deleted organization of which something may be left, in the order of time. */
export const organizationCleanUpKey = (deletedAt: number, id: number): Key => ({
  pk: partitions.organizationEndings,
  sk: `${organizationCleanUpPrefix}${sortableNumber(deletedAt)}#${sortableId(id)}`,
})
export const delayedInvitationPrefix = 'delayed#'
/** An invitation whose email waits, in the order of time. */
export const delayedInvitationKey = (until: number, id: number): Key => ({
  pk: partitions.delayedInvitations,
  sk: `${delayedInvitationPrefix}${sortableNumber(until)}#${sortableId(id)}`,
})
/** How many organizations a user created. */
export const createdOrganizationsKey = (userId: number): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: 'created-organizations',
})
/** What organizations may do for themselves. */
export const organizationPolicyKey = /* @__PURE__ */ settingsKey('organization-policy')
/** How far the recount of the members of all organizations is. */
export const organizationRecountKey = /* @__PURE__ */ settingsKey('organization-recount')
/** The roles that the service declares for all organizations, with their texts. Requests read a copy of what they allow. */
export const organizationRolesKey = /* @__PURE__ */ settingsKey('organization-roles')
/**
 * How many copies there are of what the roles allow. Together they take more reads a second than a whole table may, whatever their size:
 * see `aws-limits.ts`. Another number needs a migration, because no request finds a copy that was not written.
 */
export const organizationRightsCopies = 16
/** One of the equal copies of what the roles allow, from 0. */
export const organizationRightsKey = (copy: number): Key => ({
  pk: `${partitions.organizationRights}${copy}`,
  sk: 'rights',
})

export const membershipPrefix = 'organization#'
/** The membership of a user. One query reads all organizations of a user, in order of ID. */
export const membershipKey = (userId: number, organizationId: number): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${membershipPrefix}${sortableId(organizationId)}`,
})
export const keptOutPrefix = 'kept-out#'
/** A user who was removed from an organization, and does not join it again by its company sign-in. */
export const keptOutKey = (userId: number, organizationId: number): Key => ({
  pk: `${partitions.user}${userId}`,
  sk: `${keptOutPrefix}${sortableId(organizationId)}`,
})
export const organizationMemberListPartition = (organizationId: number): string =>
  `${partitions.organizationMemberList}${organizationId}`
/** The entry of a member in the list of an organization, in order of ID. It carries the roles. */
export const organizationMemberListing = (organizationId: number, userId: number, roles: readonly string[]) =>
  carryText(
    { lpk: organizationMemberListPartition(organizationId), lsk: sortableId(userId) },
    roles.join(' '),
  )

export const organizationInvitationKey = (id: number): Key => ({
  pk: `${partitions.organizationInvitation}${id}`,
  sk: 'invitation',
})
export const organizationInvitationListPartition = (organizationId: number): string =>
  `${partitions.organizationInvitationList}${organizationId}`
/** The entry of an invitation in the list of its organization, in order of ID. */
export const organizationInvitationListing = (organizationId: number, id: number) => ({
  lpk: organizationInvitationListPartition(organizationId),
  lsk: sortableId(id),
})
/** The invitation of an address to an organization. One query reads all organizations that invite an address. */
export const invitedAddressKey = (normalizedEmail: string, organizationId: number): Key => ({
  pk: `${partitions.invitedAddress}${normalizedEmail}`,
  sk: `${membershipPrefix}${sortableId(organizationId)}`,
})
