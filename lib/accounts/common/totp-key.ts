/** The encryption context of an authenticator's key: its user, and nothing else that is ever encrypted. */
export const getTotpKeyContext = (userId: number) => ({ purpose: 'totp', user: String(userId) })
