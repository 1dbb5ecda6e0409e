import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** A key of a client, and the proofs that it makes (RFC 9449 4.2). */
export const createProofKey = async (algorithm = 'ES256') => {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  const jwk = await exportJWK(publicKey)
  return {
    jwk,
    thumbprint: await calculateJwkThumbprint(jwk),
    /** Proves a request. `claims` and `header` replace what is right; undefined leaves a claim out. */
    prove: (
      { method, url, token }: { readonly method: string; readonly url: string; readonly token?: string },
      claims: Readonly<Record<string, unknown>> = {},
      header: Readonly<Record<string, unknown>> = {},
    ): Promise<string> =>
      new SignJWT({
        jti: randomUUID(),
        iat: Math.floor(Date.now() / 1000),
        htm: method,
        htu: url,
        ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
        ...claims,
      })
        .setProtectedHeader({ alg: algorithm, typ: 'dpop+jwt', jwk, ...header })
        .sign(privateKey),
  }
}

export type ProofKey = Awaited<ReturnType<typeof createProofKey>>
