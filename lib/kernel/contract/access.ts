import type { Permission } from './permissions.ts'
import type { Scope } from './scope-names.ts'

/** The kinds of credential that can authenticate a request. Their prefix identifies them. */
export type CredentialKind = 'session' | 'api_token' | 'reset_token'

/**
 * Who may call an operation.
 *
 * - `anyone` with credential `ignored`: credentials are not read.
 * - `anyone` with credential `optional`: a valid credential identifies its user, an invalid one is ignored. Only sessions
 *   count, unless `by` lists other kinds.
 * - `authenticated`: a credential of one of the kinds in `by`.
 * - `permission`: the same, and its user holds `permission` (`system:admin-access` implies every other).
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

export const adminWithScope = (scope: Scope) => withPermission('system:admin-access', scope)
export const adminBySession = withPermissionBySession('system:admin-access')
