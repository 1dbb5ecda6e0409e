import { hasPermission, limitToScopes } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Access } from '../../kernel/contract/access.ts'
import { type FieldCallers, findForbiddenField } from '../../kernel/contract/field-rights.ts'
import type { SharedFields } from '../../kernel/contract/model.ts'
import {
  type OrganizationPermission,
  organizationPermissionNames,
} from '../../kernel/contract/organization-permissions.ts'
import { AppError, notFound } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Services } from '../../services.ts'
import { isMembershipProven } from '../sign-in/organization-sessions.ts'
import { limitRoles } from './effective-roles.ts'
import {
  isInJoining,
  type MadeInOrganization,
  type Membership,
  type OrganizationMembership,
  ownerRole,
} from './memberships.records.ts'
import { readParts } from './parts.records.ts'
import { isGivenByService, listRolePermissions, rolePermission } from './roles.ts'
import { describeLacking, findLackingSignIn } from './sign-in-rules.ts'

/** The organization of a request, and what the caller may do in it. */
export interface OrganizationAccess extends Omit<OrganizationMembership, 'membership'> {
  /** Undefined for a caller who is no member, and holds a permission of the service instead. */
  readonly membership: Membership | undefined
  /** Whether the caller may do what the service keeps for itself, and everything that a role allows. */
  readonly isForService: boolean
}

/** As whom a caller sets and sees the fields of an organization. */
export const listFieldCallers = ({
  isForService,
  permissions,
}: Pick<OrganizationAccess, 'isForService' | 'permissions'>): FieldCallers => [
  isForService ? 'service' : 'member',
  ...organizationPermissionNames.filter((name) => permissions.includes(name)),
]

/**
 * Keeps callers from setting what the declaration of a field does not allow them.
 *
 * @throws AppError `permission_denied`
 */
export const requireSettable = (
  access: Pick<OrganizationAccess, 'isForService' | 'permissions'>,
  fields: SharedFields,
  changes: object,
): void => {
  const refused = findForbiddenField(fields, listFieldCallers(access), Object.keys(changes))
  if (refused === undefined) return
  const roles = (fields[refused]?.by ?? []).filter((caller) => caller !== 'service')
  throw new AppError('permission_denied', {
    detail:
      roles.length === 0
        ? `Only holders of the permission organizations:manage may change \`${refused}\`.`
        : `Only members with a role that allows ${roles.join(' or ')} may change \`${refused}\`.`,
  })
}

/** No organization has this ID, so a look-up costs the same. */
const noId = 0

/**
 * Reads an active organization together with the membership of a user and the roles, in one table call. Undefined if the user is no
 * member, the organization does not exist, or it is suspended.
 */
export const findActiveMembership = async (
  table: Table,
  { userId, organizationId = noId }: { readonly userId: number; readonly organizationId: number | undefined },
): Promise<OrganizationMembership | undefined> => {
  const { organization, membership, declaredRoles } = await readParts(table, userId, organizationId)
  if (!membership || organization?.state !== 'active') return undefined
  const permissions = listRolePermissions(declaredRoles, membership.roles)
  return { organization, membership, declaredRoles, permissions }
}

/**
 * The same for something that was made in the organization before. It ended with the membership in which it was made, also if the user
 * has joined again since.
 */
export const findSameMembership = async (
  table: Table,
  {
    userId,
    organizationId,
    ...made
  }: { readonly userId: number; readonly organizationId: number } & MadeInOrganization,
): Promise<OrganizationMembership | undefined> => {
  const found = await findActiveMembership(table, { userId, organizationId })
  return found && isInJoining(found.membership, made) ? found : undefined
}

/** A membership with the roles that have an effect, and what they allow. */
export const withEffectiveRoles = (
  principal: Pick<Principal, 'user' | 'session' | 'actor'>,
  found: OrganizationMembership,
): OrganizationMembership => {
  const membership = limitRoles(principal, found.membership)
  return membership === found.membership ? found : { ...found, membership, permissions: [] }
}

/** What a user may do in an organization without a session, as the member who made something there before. */
export const listPermissionsOf = (
  user: UserRecord,
  { membership, declaredRoles }: Pick<OrganizationAccess, 'membership' | 'declaredRoles'>,
  made: MadeInOrganization,
): readonly string[] =>
  membership && isInJoining(membership, made)
    ? listRolePermissions(declaredRoles, limitRoles({ user }, membership).roles)
    : []

type RoleAccess = Extract<Access, { readonly allow: 'role' }>

/**
 * Reads the organization of a request, and decides whether the caller may do what the operation does. To those who are no members
 * and hold no permission of the service, an organization does not exist: the answer and the table calls are the same.
 *
 * @throws AppError `not_found`, or `permission_denied` for a member whose roles do not allow it, or whose sign-in is not what the
 *   organization requires
 */
export const requireRole = async (
  { table, now }: Services,
  principal: Principal,
  access: RoleAccess,
  id: string | undefined,
): Promise<OrganizationAccess> => {
  const organizationId = /^[1-9]\d{0,9}$/.test(id ?? '') ? Number(id) : noId
  const { user, session, scopes } = principal
  const isForService = await hasPermission(table, user, access.permission)
  const { organization, membership, declaredRoles } = await readParts(table, user.id, organizationId)
  // A link is a proof of possession, not of identity.
  const own =
    membership && !session?.accessLink && isMembershipProven(principal, membership)
      ? limitRoles(principal, membership)
      : undefined
  if (!organization || !(own || isForService)) throw notFound('organization')
  const ofRoles = own ? listRolePermissions(declaredRoles, own.roles) : []
  const permissions = isForService ? [...organizationPermissionNames, ...ofRoles] : ofRoles
  const { inOrganization } = access
  if (!isForService && inOrganization !== 'membership' && !ofRoles.some((name) => name === inOrganization))
    throw new AppError('permission_denied', {
      detail:
        inOrganization === 'none'
          ? `This operation requires the permission ${access.permission}.`
          : `This operation requires a role with the permission ${inOrganization}.`,
    })
  // Members see that they are, and leave, with any sign-in.
  const lacking =
    isForService || inOrganization === 'membership' || !own
      ? undefined
      : findLackingSignIn(principal, { organization, membership: own }, now())
  if (lacking)
    throw new AppError('permission_denied', {
      reason: 'organization_sign_in_required',
      detail: `The organization has rules for the sign-in of its members. To go on, ${describeLacking(lacking)}.`,
    })
  return {
    organization,
    membership: own,
    declaredRoles,
    permissions: scopes
      ? permissions.filter((name) => isOwn(name) || limitToScopes([name], scopes).length > 0)
      : permissions,
    isForService,
  }
}

type RoleGiver = Pick<OrganizationAccess, 'isForService' | 'membership' | 'permissions' | 'declaredRoles'>

/** The roles that somebody has or gets, and those of them that change. */
interface ControlledRoles {
  readonly roles: readonly string[]
  readonly changed: readonly string[]
}

/** What of these roles someone may not give: roles that the service gives, permissions that they lack, and ownership itself. */
const listUngivable = (
  { isForService, membership, permissions, declaredRoles }: RoleGiver,
  { roles, changed }: ControlledRoles,
): readonly string[] => {
  if (isForService) return []
  const ofService = changed.filter((role) => isGivenByService(declaredRoles, role))
  return membership?.roles.includes(ownerRole)
    ? ofService
    : [
        ...ofService,
        ...roles.filter((role) => role === ownerRole),
        ...listRolePermissions(declaredRoles, roles).filter((name) => !permissions.includes(name)),
      ]
}

/**
 * Keeps members from giving or taking more than they have: every permission of the roles, and ownership itself. Roles of the service
 * they neither give nor take. They may still remove who has one, or change their other roles.
 *
 * @throws AppError `permission_denied`
 */
export const requireControlOfRoles = (
  giver: RoleGiver,
  roles: readonly string[],
  changed: readonly string[] = roles,
): void => {
  const [missing] = listUngivable(giver, { roles, changed })
  if (missing === undefined) return
  if (isGivenByService(giver.declaredRoles, missing))
    throw new AppError('permission_denied', {
      detail: `Only holders of the permission \`${rolePermission}\` may give or take the role \`${missing}\`.`,
    })
  throw new AppError('permission_denied', {
    detail:
      missing === ownerRole
        ? 'Only an owner may give or take the role `owner`, or change an owner.'
        : `Only a member with the permission \`${missing}\` may give or take it, or change who has it.`,
  })
}

/**
 * Whether a user who invited someone may still do so, with the roles of the invitation. They may have left, or lost roles themselves.
 */
export const mayStillInvite = async (
  { table, now }: Services,
  inviter: UserRecord | undefined,
  member: Pick<OrganizationAccess, 'membership' | 'declaredRoles'>,
  invitation: MadeInOrganization & { readonly roles: readonly string[] },
): Promise<boolean> => {
  if (!inviter || !isActive(inviter, now())) return false
  const { declaredRoles } = member
  const membership = member.membership && limitRoles({ user: inviter }, member.membership)
  const permissions = listPermissionsOf(inviter, member, invitation)
  const { roles } = invitation
  const needed: OrganizationPermission = 'org:members:manage'
  const mayAsMember =
    permissions.includes(needed) &&
    listUngivable({ declaredRoles, membership, permissions, isForService: false }, { roles, changed: roles })
      .length === 0
  return mayAsMember || hasPermission(table, inviter, 'organizations:manage')
}

/**
 * Decides whether an API token of an organization may do what the operation does. Every other organization is one that does not exist.
 *
 * @throws AppError `not_found`, or `permission_denied` for a token without the permission
 */
export const requireOwn = (
  { organization, permissions }: OrganizationAccess,
  { inOrganization }: RoleAccess,
  id: string | undefined,
): void => {
  if (id !== String(organization.id)) throw notFound('organization')
  if (inOrganization !== 'membership' && !permissions.some((name) => name === inOrganization))
    throw new AppError('permission_denied', {
      detail: `This operation requires an API token with the permission ${inOrganization}.`,
    })
}

/** What this service checks is limited by the scope of the operation, not by its name. */
const isOwn = (permission: string): boolean => organizationPermissionNames.some((name) => name === permission)
