/** What a client can request about its users unless its registration says otherwise: what the guides ask for. */
export const defaultScopes = ['openid', 'profile', 'email'] as const
