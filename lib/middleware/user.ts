/**
 * The user who calls.
 *
 * @example
 * ```ts
 * import type { User } from '@latchkey/middleware'
 *
 * export const greet = ({ username, permissions }: User) => `${username} has ${permissions.length} permissions`
 * ```
 */
export interface User {
  /** It never changes, and no other user ever gets it. 0 for machines, which are no users. */
  readonly id: number
  /** The name to sign in with. It can change. */
  readonly username: string
  /**
   * Effective permissions of the credential outside of organizations. `system:admin-access` includes every other: use `hasPermission`. With
   * an organization there are none: see `organization.permissions`.
   */
  readonly permissions: readonly string[]
  /** The administrator who impersonates the user. Undefined without an impersonation. */
  readonly actor: Actor | undefined
  /** What the caller has proved their identity with, or got their JWT for. Guests of access links need `acceptsGuests`, machines `acceptsMachines`. */
  readonly kind: CredentialKind
  /**
   * The organization that the user acts in. With `createMiddleware`, only requirements with `organization` or `role` ask for one. JWTs
   * state it themselves.
   */
  readonly organization: UserOrganization | undefined
}

/**
 * The organization that a user acts in.
 *
 * @example
 * ```ts
 * import type { User, UserOrganization } from '@latchkey/middleware'
 *
 * export const isIn = ({ organization }: User, { id }: UserOrganization) => organization?.id === id
 * ```
 */
export interface UserOrganization {
  /** It never changes, so compare it alone. */
  readonly id: string
  /** It can change. */
  readonly slug: string
  /** It can change, and others can have the same. */
  readonly name: string
  /** The roles of the user in the organization. Machines have none. */
  readonly roles: readonly string[]
  /** What the roles allow in this organization, and nowhere else. */
  readonly permissions: readonly string[]
}

/**
 * Who acts as the user.
 *
 * @example
 * ```ts
 * import type { Actor, User } from '@latchkey/middleware'
 *
 * export const findActor = ({ actor }: User): Actor | undefined => actor
 * ```
 */
export interface Actor {
  readonly id: number
  readonly username: string
}

/**
 * What the caller sent.
 *
 * @example
 * ```ts
 * import type { CredentialKind } from '@latchkey/middleware'
 *
 * export const people: readonly CredentialKind[] = ['session']
 * ```
 */
export type CredentialKind = 'session' | 'api_token' | 'access_link' | 'machine'

/**
 * Whether a user has a permission where they act: in their organization, or without one in the service. An administrator has all
 * permissions outside of organizations.
 *
 * @example
 * ```ts
 * import { hasPermission, type User } from '@latchkey/middleware'
 *
 * export const canEdit = (user: User) => hasPermission(user, 'films:edit')
 * ```
 */
export const hasPermission = (
  { permissions, organization }: Pick<User, 'permissions'> & Partial<Pick<User, 'organization'>>,
  permission: string,
): boolean =>
  organization
    ? organization.permissions.includes(permission)
    : permissions.includes(permission) || permissions.includes('system:admin-access')
