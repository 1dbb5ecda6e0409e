import { limitToScopes } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserMini } from '../../accounts/users/user-body.ts'
import type { FieldCallers } from '../../kernel/contract/field-rights.ts'
import { toBodyFor } from '../../kernel/contract/model.ts'
import { toBody } from '../../kernel/contract/projection.ts'
import type { Table } from '../../kernel/table/table.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { hasLimitedRoles, limitRoles } from './effective-roles.ts'
import type { Membership, OrganizationMembership } from './memberships.records.ts'
import {
  type CurrentOrganization,
  type Organization,
  type OrganizationMember,
  OrganizationRoles,
  type OwnOrganization,
  organizationFields,
} from './models.ts'
import { type OrganizationCounts, type OrganizationRecord, readCounts } from './records.ts'
import type { DeclaredRole, RoleRights } from './roles.records.ts'
import { listRolePermissions } from './roles.ts'

/** An organization as a caller sees it. */
export const toOrganizationBody = (
  callers: FieldCallers,
  { createdAt, endsAt = null, formerSlugs = [], ...record }: OrganizationRecord,
  { members, owners }: OrganizationCounts,
): Organization =>
  toBodyFor(callers, organizationFields, {
    ...record,
    member_count: members,
    is_ownerless: owners === 0,
    created_at: formatTime(createdAt),
    ends_at: formatTime(endsAt),
    former_slugs: formerSlugs.map(({ slug, reservedUntil }) => ({
      slug,
      reserved_until: formatTime(reservedUntil),
    })),
  })

/** Organizations as the service sees them. Reads the counts of all of them together. */
export const toOrganizationBodies = async (
  table: Table,
  records: readonly OrganizationRecord[],
): Promise<readonly Organization[]> => {
  const counts = await readCounts(
    table,
    records.map(({ id }) => id),
  )
  return records.map((record, at) => toOrganizationBody(['service'], record, counts[at] ?? noMembers))
}

export const noMembers: OrganizationCounts = { members: 0, owners: 0 }

export const toMemberBody = (
  membership: Omit<Membership, 'version'>,
  user: UserRecord,
  returnsBySignIn: boolean,
): OrganizationMember => ({
  user: toUserMini(user),
  roles: [...membership.roles],
  roles_limited: hasLimitedRoles(user, membership),
  source: membership.source,
  joined_at: formatTime(membership.joinedAt),
  roles_given_by: membership.rolesGivenBy,
  returns_by_sign_in: returnsBySignIn,
})

interface OwnMembership {
  readonly organization: OrganizationRecord
  readonly membership: Membership
  readonly declaredRoles: readonly RoleRights[]
  /** Where the user signs in as the organization requires. Their roles allow nothing until then. */
  readonly signInUrl: string | null
}

/** A membership as it counts for its user. */
export const toOwnBody = (
  whose: Pick<Principal, 'user' | 'session' | 'actor'>,
  { organization, membership, declaredRoles, signInUrl }: OwnMembership,
): OwnOrganization => {
  const { id, name, slug, state, endsAt = null } = organization
  const effective = limitRoles(whose, membership)
  return {
    id,
    name,
    slug,
    state,
    roles: [...effective.roles],
    roles_limited: effective !== membership,
    permissions: signInUrl === null ? [...listRolePermissions(declaredRoles, effective.roles)] : [],
    sign_in_url: signInUrl,
    joined_at: formatTime(membership.joinedAt),
    ends_at: formatTime(endsAt),
  }
}

/** The organization that a request or a ticket is about. Scopes of an API token limit what the user may do there. */
export const toCurrentBody = (
  { organization: { id, name, slug }, membership, permissions }: OrganizationMembership,
  scopes: readonly string[] | undefined,
): CurrentOrganization => ({
  id,
  name,
  slug,
  roles: [...membership.roles],
  permissions: [...limitToScopes(permissions, scopes)],
})

/** Roles as the service declares them, with the fields of the model alone. */
export const toDeclaredRoles = (roles: readonly DeclaredRole[]): OrganizationRoles =>
  toBody<OrganizationRoles>(OrganizationRoles.def.shape, { roles })
