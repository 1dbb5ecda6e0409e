/** The encryption context of a TOTP key. It differs for each user and from that of any other secret. */
export const getTotpKeyContext = (userId: number) => ({ purpose: 'totp', user: String(userId) })
