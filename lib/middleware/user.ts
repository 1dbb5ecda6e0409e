/** The user who calls. */
export interface User {
  /** It never changes, and no other user ever gets it. */
  readonly id: number
  /** The name to sign in with. It can change. */
  readonly username: string
  /** Effective permissions of the credential. `system:admin-access` includes every other: use `hasPermission`. */
  readonly permissions: readonly string[]
  /** The administrator who impersonates the user. Undefined without an impersonation. */
  readonly actor: Actor | undefined
  /** What the caller has proved their identity with, or got their JWT for. Guests of access links need `acceptsGuests`. */
  readonly kind: CredentialKind
}

export interface Actor {
  readonly id: number
  readonly username: string
}

export type CredentialKind = 'session' | 'api_token' | 'access_link'

/** Whether a user has a permission. An administrator has all permissions. */
export const hasPermission = ({ permissions }: Pick<User, 'permissions'>, permission: string): boolean =>
  permissions.includes(permission) || permissions.includes('system:admin-access')
