import { sortPermissions } from '../../accounts/callers/permissions.ts'
import {
  type OrganizationPermission,
  organizationPermissionNames,
} from '../../kernel/contract/organization-permissions.ts'
import { type Permission, permissions as servicePermissions } from '../../kernel/contract/permissions.ts'
import { isOperationScope } from '../../kernel/contract/scope-names.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import { organizationRightsBytes } from '../../kernel/limits/limits.ts'
import { ownerRole } from './memberships.records.ts'
import { type RoleRights, toRights } from './roles.records.ts'

/** Its holders choose the roles of everybody in every organization. */
export const rolePermission: Permission = 'organizations:manage'

/** What an owner may do, and an admin may not. */
const ownerPermissions: readonly OrganizationPermission[] = [
  'org:sign-in:manage',
  'org:keys:manage',
  'org:ending:manage',
]

/** What the built-in roles allow of this service. An owner may do everything. */
const builtInRoles: ReadonlyMap<string, readonly OrganizationPermission[]> = new Map([
  [ownerRole, organizationPermissionNames],
  ['admin', organizationPermissionNames.filter((name) => !ownerPermissions.includes(name))],
  ['member', []],
])

/** The permissions of these roles, sorted. A role that no longer exists has none. */
export const listRolePermissions = (
  declared: readonly RoleRights[],
  keys: readonly string[],
): readonly string[] =>
  sortPermissions([
    ...keys.flatMap((key) => builtInRoles.get(key) ?? []),
    ...declared.filter(({ key }) => keys.includes(key)).flatMap(({ permissions }) => permissions),
  ])

/** Whether members may neither give nor take a role. */
export const isGivenByService = (declared: readonly RoleRights[], key: string): boolean =>
  declared.some((role) => role.key === key && role.given_by === 'service')

/** Whether a group of a directory may give a role: one that the service declares, that members give, and that allows nothing of this service. */
export const isGivenByDirectories = (declared: readonly RoleRights[], key: string): boolean =>
  declared.some(
    (role) =>
      role.key === key &&
      !builtInRoles.has(key) &&
      role.given_by !== 'service' &&
      !role.permissions.some((permission) => organizationPermissionNames.some((name) => name === permission)),
  )

/** Every permission that an owner can have without the service, sorted. */
export const listMemberPermissions = (declared: readonly RoleRights[]): readonly string[] =>
  listKnownPermissions(declared.filter((role) => role.given_by !== 'service'))

/** Every permission that some role has, sorted. */
export const listKnownPermissions = (declared: readonly RoleRights[]): readonly string[] =>
  listRolePermissions(declared, [ownerRole, ...declared.map(({ key }) => key)])

/** Returns what is wrong with the keys of roles that are about to be given. Undefined if the service has all of them. */
export const describeUnknownRoles = (
  declared: readonly RoleRights[],
  keys: readonly string[],
): string | undefined => {
  const known = new Set([...builtInRoles.keys(), ...declared.map(({ key }) => key)])
  const unknown = keys.filter((key) => !known.has(key))
  return unknown.length === 0
    ? undefined
    : `contains unknown roles: ${unknown.join(', ')}. Known are: ${[...known].join(', ')}`
}

/** @throws AppError `invalid_request` if the service has no such role */
export const requireKnownRoles = (
  declared: readonly RoleRights[],
  keys: readonly string[],
  field = 'roles',
): void => {
  const message = describeUnknownRoles(declared, keys)
  if (message !== undefined) throw invalidRequest([{ field, message }])
}

/** The namespaces whose permissions decide about this service. */
const ownNamespaces = new Set(Object.keys(servicePermissions).map((name) => name.split(':', 1)[0]))

/** Whether a role may have a permission: none of this service, except inside of the organization. */
const isAllowed = (permission: string): boolean => {
  const [namespace = ''] = permission.split(':', 1)
  if (namespace === 'org') return organizationPermissionNames.some((name) => name === permission)
  return !(ownNamespaces.has(namespace) || isOperationScope(permission))
}

/** @throws AppError `invalid_request` that lists each error of the declared roles */
export const requireValidRoles = (roles: readonly RoleRights[]): void => {
  const bytes = Buffer.byteLength(JSON.stringify(roles.map(toRights)))
  const tooLarge = {
    field: 'roles',
    message: `must have at most ${organizationRightsBytes} bytes of keys and permissions together, and has ${bytes}`,
  }
  const ofRoles = roles.flatMap(({ key, permissions, given_by: givenBy }, at) => [
    ...(givenBy === 'service' && builtInRoles.has(key)
      ? [{ field: `roles.${at}.given_by`, message: 'must be members for a built-in role' }]
      : []),
    ...(roles.findIndex((one) => one.key === key) < at
      ? [{ field: `roles.${at}.key`, message: `is the key of another role: ${key}` }]
      : []),
    ...permissions.flatMap((permission, place) =>
      isAllowed(permission)
        ? []
        : [
            {
              field: `roles.${at}.permissions.${place}`,
              message: permission.startsWith('org:')
                ? `must be one of ${organizationPermissionNames.join(', ')}`
                : 'must be a permission of your APIs: roles of organizations give no permissions of this service',
            },
          ],
    ),
  ])
  const errors = [...ofRoles, ...(bytes > organizationRightsBytes ? [tooLarge] : [])]
  if (errors.length > 0) throw invalidRequest(errors)
}
