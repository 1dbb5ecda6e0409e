import { AccessError } from './access-error.ts'
import { proofWindowSeconds, verifyDpopProof } from './dpop-proof.ts'
import type { IncomingRequest, SentToken } from './read-credential.ts'
import type { TokenClaims } from './token-user.ts'

/** Lets a token pass if its sender has its key. @throws AccessError for a missing, wrong or repeated proof */
export type ProveKey = (request: IncomingRequest, sent: SentToken, claims: TokenClaims) => Promise<void>

/**
 * Creates the check of tokens that are bound to a key (DPoP, RFC 9449). Without `origin` it refuses all of them: they are
 * worth nothing without a proof. Others pass as bearer tokens.
 *
 * @throws TypeError if `origin` is not the origin of an address
 */
export const createProveKey = (origin: string | undefined): ProveKey => {
  if (origin !== undefined && URL.parse(origin)?.origin !== origin)
    throw new TypeError('origin must be one as https://api.example.com.')
  const isFirst = createProofMemory()
  return async ({ method, url = '', getHeader }, { token, isProven }, { cnf }) => {
    if (cnf === undefined && !isProven) return
    const thumbprint = readThumbprint(cnf)
    if (thumbprint === undefined || origin === undefined)
      throw new AccessError('invalidToken', { claim: 'cnf' })
    const address = URL.parse(url.startsWith('/') ? origin + url : url)
    if (!isProven || !address) throw new AccessError('invalidProof')
    const nowMs = Date.now()
    const expected = { method: method.toUpperCase(), url: origin + address.pathname, token, thumbprint }
    const id = await verifyDpopProof(getHeader('dpop') ?? '', expected, nowMs)
    if (id === undefined || !isFirst(`${thumbprint} ${id}`, nowMs)) throw new AccessError('invalidProof')
  }
}

const readThumbprint = (cnf: unknown): string | undefined => {
  if (typeof cnf !== 'object' || cnf === null || !('jkt' in cnf)) return undefined
  return typeof cnf.jkt === 'string' && cnf.jkt !== '' ? cnf.jkt : undefined
}

const maxRemembered = 20_000

/** Remembers the proofs of this process. When there are too many, the oldest are forgotten first. */
const createProofMemory = () => {
  const seenUntil = new Map<string, number>()
  return (id: string, nowMs: number): boolean => {
    for (const [known, until] of seenUntil) {
      if (until > nowMs && seenUntil.size < maxRemembered) break
      seenUntil.delete(known)
    }
    if (seenUntil.has(id)) return false
    // A proof works as long before its time as after it.
    seenUntil.set(id, nowMs + 2 * proofWindowSeconds * 1000)
    return true
  }
}
