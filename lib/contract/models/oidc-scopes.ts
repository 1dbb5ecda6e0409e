/** The scopes of OpenID Connect that clients can request. */
export const oidcScopes = ['openid', 'profile', 'email', 'groups', 'permissions', 'offline_access'] as const
export type OidcScope = (typeof oidcScopes)[number]
