import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { ExternalSigningKey } from 'oidc-provider'
import type { Services } from '../../../services.ts'
import { getKeySet, type PublicJwk } from '../signing-keys/key-set.ts'
import { getSigningKey, type SigningKey } from '../signing-keys/signing-key.ts'

const signAsync = promisify(sign)

/** A key as the library uses it. Only one of them has a private part, which never leaves its key object. */
class ProviderKey extends ExternalSigningKey {
  readonly #jwk: PublicJwk
  readonly #privateKey: KeyObject | undefined

  constructor(jwk: PublicJwk, privateKey: KeyObject | undefined) {
    super()
    this.#jwk = jwk
    this.#privateKey = privateKey
  }

  override get kid(): string {
    return this.#jwk.kid
  }

  override get alg(): string {
    return this.#jwk.alg
  }

  override keyObject(): KeyObject {
    const { kty, n, e } = this.#jwk
    return createPublicKey({ key: { kty, n, e }, format: 'jwk' })
  }

  override async sign(data: Uint8Array): Promise<Uint8Array> {
    if (!this.#privateKey) throw new Error('This key does not sign now.')
    return signAsync('RSA-SHA256', data, this.#privateKey)
  }
}

/** The keys that the library signs and verifies with. The first one signs. */
export interface ProviderKeys {
  /** Changes with the keys. */
  readonly version: string
  readonly keys: readonly ExternalSigningKey[]
}

/** Returns the present keys. @throws Error if none can sign */
export const getProviderKeys = async (services: Services): Promise<ProviderKeys> => {
  const current = await getSigningKey(services)
  const published = await getKeySet(services)
  const ordered = published.toSorted((a, b) => rank(current, a) - rank(current, b))
  return {
    version: ordered.map(({ kid }) => kid).join(' '),
    keys: ordered.map(
      (jwk) => new ProviderKey(jwk, jwk.kid === current.kid ? current.privateKey : undefined),
    ),
  }
}

const rank = (current: SigningKey, { kid }: PublicJwk): number => (kid === current.kid ? 0 : 1)
