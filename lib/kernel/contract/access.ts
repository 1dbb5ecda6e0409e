import type { OrganizationPermission } from './organization-permissions.ts'
import type { Permission } from './permissions.ts'
import type { Scope } from './scope-names.ts'

/** The kinds of credential that can authenticate a request. Their prefix identifies them. */
export type CredentialKind = 'session' | 'api_token' | 'organization_token' | 'reset_token' | 'scim_token'

/**
 * Who may call an operation.
 *
 * - `anyone` with credential `ignored`: credentials are not read.
 * - `anyone` with credential `optional`: a valid credential identifies its user, an invalid one is ignored. Only sessions
 *   count, unless `by` lists other kinds.
 * - `authenticated`: a credential of one of the kinds in `by`.
 * - `permission`: the same, and its user holds `permission` (`system:admin-access` implies every other).
 * - `role`: the same, and its user has a role with the permission `inOrganization` in the organization of the path, or holds
 *   `permission`. To others, the organization does not exist.
 *
 * `scope` is the scope that an API token with scopes needs. Every operation that accepts API tokens has one.
 */
export type Access =
  | {
      readonly allow: 'anyone'
      readonly credential: 'ignored' | 'optional'
      readonly by?: readonly CredentialKind[]
    }
  | (ByCredential & { readonly allow: 'authenticated' })
  | (ByCredential & { readonly allow: 'permission'; readonly permission: Permission })
  | (ByCredential & {
      readonly allow: 'role'
      readonly inOrganization: InOrganization
      readonly permission: Permission
    })

interface ByCredential {
  readonly by: readonly CredentialKind[]
  readonly scope?: Scope
}

const sessionOrApiToken = ['session', 'api_token'] as const

export const anyone = { allow: 'anyone', credential: 'ignored' } as const satisfies Access
export const anyoneOrKnown = { allow: 'anyone', credential: 'optional' } as const satisfies Access

/** For operations that answer everyone, and callers with any credential of a user more. */
export const anyoneOrCredential = {
  allow: 'anyone',
  credential: 'optional',
  by: sessionOrApiToken,
} as const satisfies Access

/** For operations of any user, with a session or an API token of this scope. */
export const withScope = <const Needed extends Scope>(scope: Needed) =>
  ({ allow: 'authenticated', by: sessionOrApiToken, scope }) as const satisfies Access

/** For operations that reject API tokens, because they could turn a token into a session or a better account. */
export const bySession = { allow: 'authenticated', by: ['session'] } as const satisfies Access

/** For the password tools, which users with a reset token need before they can sign in. */
export const authenticatedOrResetting = {
  allow: 'authenticated',
  by: ['session', 'api_token', 'reset_token'],
  scope: 'password-tools:use',
} as const satisfies Access

/** The scope has the name of the permission, unless it is a smaller part of it. */
export const withPermission = (permission: Permission, scope: Scope = permission) =>
  ({ allow: 'permission', permission, by: sessionOrApiToken, scope }) as const satisfies Access

export const withPermissionBySession = (permission: Permission) =>
  ({ allow: 'permission', permission, by: ['session'] }) as const satisfies Access

/** What a member needs: a permission of a role, any role, or nothing that roles give. */
export type InOrganization = OrganizationPermission | 'membership' | 'none'

/**
 * For operations about an organization, which its ID in the path names. Holders of the permission do the same in every
 * organization. API tokens need its scope.
 */
export const byRole = (inOrganization: InOrganization, permission: Permission) =>
  ({
    allow: 'role',
    inOrganization,
    permission,
    by: sessionOrApiToken,
    scope: permission,
  }) as const satisfies Access

/** The same, also for API tokens of the organization with the permission. */
export const byRoleOrToken = (inOrganization: Exclude<InOrganization, 'none'>, permission: Permission) =>
  ({
    allow: 'role',
    inOrganization,
    permission,
    by: ['session', 'api_token', 'organization_token'],
    scope: permission,
  }) as const satisfies Access

/** The same, only for people: a program could give itself more than it has. */
export const byRoleAndSession = (inOrganization: Exclude<InOrganization, 'none'>, permission: Permission) =>
  ({ allow: 'role', inOrganization, permission, by: ['session'] }) as const satisfies Access

/** For API tokens of organizations alone. */
export const byOrganizationToken = {
  allow: 'authenticated',
  by: ['organization_token'],
} as const satisfies Access

/** For the directories of customers alone, with a token of the connection that the path names. */
export const byScimToken = { allow: 'authenticated', by: ['scim_token'] } as const satisfies Access

export const adminWithScope = (scope: Scope) => withPermission('system:admin-access', scope)
export const adminBySession = withPermissionBySession('system:admin-access')
