/*
 * The last part of the address of an interaction says whether the interaction needs a new proof of identity. So the start of
 * a SAML sign-in that leads there knows it without the interaction. It is sealed with the interaction: no one can change it.
 */

const proofMark = 'p'
const ordinaryMark = 'o'

/** Makes the uid of an interaction from a hash. It has 22 characters of base64url. */
export const formatInteractionUid = (hash: string, needsNewProof: boolean): string =>
  `${needsNewProof ? proofMark : ordinaryMark}${hash.slice(0, 21)}`

/** Whether the interaction with this uid needs a new proof of identity. */
export const isUidOfNewProof = (uid: string): boolean => uid.startsWith(proofMark)
