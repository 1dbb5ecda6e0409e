import { proofWindowSeconds, verifyDpopProof } from '../middleware/dpop-proof.ts'
import type { Services } from '../services.ts'
import { noteProof } from '../store/oidc/tokens.ts'
import type { AccessTokenClaims } from '../tokens/verify-access-token.ts'

/** An access token as a request has it. */
export interface SentToken {
  readonly token: string
  /** Whether the request claims to prove the key of the token (RFC 9449 7.1). */
  readonly isProven: boolean
  /** The header `DPoP`. */
  readonly proof: string | undefined
}

/** Reads a header `Authorization` with an access token. */
export const readSentToken = (header: string, proof: string | undefined): SentToken | undefined => {
  const [, scheme = '', token] = /^(Bearer|DPoP) +(\S+)$/i.exec(header) ?? []
  return token === undefined ? undefined : { token, isProven: scheme.toLowerCase() === 'dpop', proof }
}

/**
 * Whether a request may use its access token: one that is bound to a key needs a proof of that key, for this request, for the
 * first time. Takes a table call for such a token.
 */
export const isSentByOwner = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  { cnf, client_id: clientId }: Pick<AccessTokenClaims, 'cnf' | 'client_id'>,
  { token, isProven, proof = '' }: SentToken,
  request: { readonly method: string; readonly url: string },
): Promise<boolean> => {
  if (!cnf || !isProven) return !cnf && !isProven
  const jti = await verifyDpopProof(proof, { ...request, token, thumbprint: cnf.jkt }, now())
  if (jti === undefined) return false
  // A proof works as long before its time as after it.
  return noteProof(table, 'dpop', { clientId, jti }, now() + 2 * proofWindowSeconds * 1000)
}
