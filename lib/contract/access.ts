/** The kinds of credential that can authenticate a request, as told by their prefix. */
export type CredentialKind = 'session' | 'api_token' | 'reset_token'

/**
 * Who may call an operation.
 *
 * - `anyone` with credential `ignored`: whatever is sent as credential plays no part.
 * - `anyone` with credential `optional`: a good one makes its user known, a bad one counts as none.
 * - `authenticated`: a credential of one of the kinds in `by`.
 * - `permission`: the same, and its user holds `permission` (`system:admin-access` implies every other).
 */
export type Access =
  | { readonly allow: 'anyone'; readonly credential: 'ignored' | 'optional' }
  | { readonly allow: 'authenticated'; readonly by: readonly CredentialKind[] }
  | { readonly allow: 'permission'; readonly permission: Permission; readonly by: readonly CredentialKind[] }

/** The permissions that this service itself asks for; host products bring more of the same form. */
export type Permission = 'system:admin-access' | 'users:view' | 'users:manage' | 'media:access'

const sessionOrApiToken = ['session', 'api_token'] as const

export const anyone = { allow: 'anyone', credential: 'ignored' } as const satisfies Access
export const anyoneOrKnown = { allow: 'anyone', credential: 'optional' } as const satisfies Access
export const authenticated = { allow: 'authenticated', by: sessionOrApiToken } as const satisfies Access

/** For what an API token may not do: make more of itself, impersonate, change passwords or second factors. */
export const bySession = { allow: 'authenticated', by: ['session'] } as const satisfies Access

/** For the password tools, which the holder of a reset token needs before it can sign in. */
export const authenticatedOrResetting = {
  allow: 'authenticated',
  by: ['session', 'api_token', 'reset_token'],
} as const satisfies Access

export const withPermission = (permission: Permission) =>
  ({ allow: 'permission', permission, by: sessionOrApiToken }) as const satisfies Access

export const withPermissionBySession = (permission: Permission) =>
  ({ allow: 'permission', permission, by: ['session'] }) as const satisfies Access

export const admin = withPermission('system:admin-access')
export const adminBySession = withPermissionBySession('system:admin-access')
