import type { Services } from '../services.ts'
import { getKeys } from './key-cache.ts'
import { listPublishedKeys } from './key-times.ts'

/** A public key as clients verify with it (RFC 7517 4, RFC 7518 6.3.1). */
export interface PublicJwk {
  readonly kty: 'RSA'
  readonly use: 'sig'
  readonly alg: 'RS256'
  readonly kid: string
  readonly n: string
  readonly e: string
}

/** The keys that verify tokens, newest first. */
export const getKeySet = async (services: Services): Promise<readonly PublicJwk[]> =>
  listPublishedKeys(await getKeys(services), services.now())
    .map(
      ({ kid, modulus, exponent }): PublicJwk => ({
        kty: 'RSA',
        use: 'sig',
        alg: 'RS256',
        kid,
        n: modulus,
        e: exponent,
      }),
    )
    .reverse()
