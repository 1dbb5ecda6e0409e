/**
 * The providers at which everybody can have an account. `google`, `microsoft` and `github` have rules of their own, and `oidc` is any
 * other provider of OpenID Connect.
 */
export const publicProviders = ['google', 'microsoft', 'github', 'oidc'] as const
export type PublicProvider = (typeof publicProviders)[number]
