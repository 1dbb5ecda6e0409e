/** The kinds of credential that can authenticate a request. Their prefix identifies them. */
export type CredentialKind = 'session' | 'api_token' | 'reset_token'

/**
 * Who may call an operation.
 *
 * - `anyone` with credential `ignored`: credentials are not read.
 * - `anyone` with credential `optional`: a valid credential identifies its user, an invalid one is ignored.
 * - `authenticated`: a credential of one of the kinds in `by`.
 * - `permission`: the same, and its user holds `permission` (`system:admin-access` implies every other).
 */
export type Access =
  | { readonly allow: 'anyone'; readonly credential: 'ignored' | 'optional' }
  | { readonly allow: 'authenticated'; readonly by: readonly CredentialKind[] }
  | { readonly allow: 'permission'; readonly permission: Permission; readonly by: readonly CredentialKind[] }

/** The permissions that this service checks. Products may store more of the same form, `word:word[:word]`. */
export const permissions = {
  'system:admin-access': 'Administer the service. It includes every other permission.',
  'users:view': 'Read users, groups and user templates.',
  'users:manage':
    'Create, change and delete users, groups and user templates. Accounts and groups of administrators are excluded.',
  'media:access': 'Create access links.',
} as const

export type Permission = keyof typeof permissions

const sessionOrApiToken = ['session', 'api_token'] as const

export const anyone = { allow: 'anyone', credential: 'ignored' } as const satisfies Access
export const anyoneOrKnown = { allow: 'anyone', credential: 'optional' } as const satisfies Access
export const authenticated = { allow: 'authenticated', by: sessionOrApiToken } as const satisfies Access

/** For operations that reject API tokens: creating API tokens, impersonation, passwords and second factors. */
export const bySession = { allow: 'authenticated', by: ['session'] } as const satisfies Access

/** For the password tools, which users with a reset token need before they can sign in. */
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
