/** The encryption context of a private key. It differs for each key and from that of any other secret. */
export const getSigningKeyContext = (kid: string) => ({ purpose: 'signing-key', kid })
