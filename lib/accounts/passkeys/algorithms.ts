/** The algorithms of accepted keys, best first: ES256, EdDSA and RS256 (IANA registry of COSE algorithms). */
export const passkeyAlgorithms = [-7, -8, -257] as const
