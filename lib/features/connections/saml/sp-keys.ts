import type { KeyObject } from 'node:crypto'
import { spKeyCacheMs, spKeysCached } from '../../../kernel/limits/saml-limits.ts'
import { UnreadableSecret } from '../../../kernel/secrets/vault.ts'
import { getRemainingMs } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import { type Certificate, parseStoredCertificates } from './certificates.ts'
import { generateSpKeyPair, type PrivateKey, restorePrivateKey, type SpKeyPair } from './key-pair.ts'
import { getSpKeyContext } from './protocol.ts'
import type { SamlConnection, StoredKey, StoredPair } from './records.ts'

interface CachedKey {
  readonly key: KeyObject
  /** Epoch milliseconds. Then the key is decrypted again, so that revoked access to it takes effect. */
  readonly until: number
}

/** Decrypted service provider keys in the memory of a warm function, by provider and stored ciphertext. */
interface SpKeyCache {
  readonly get: (providerId: number, cipher: string, nowMs: number) => KeyObject | undefined
  readonly set: (providerId: number, cipher: string, cached: CachedKey) => void
  /** Removes the keys of a provider except those with one of these ciphertexts. */
  readonly keep: (providerId: number, ciphers: readonly string[]) => void
}

/** Creates an empty cache. The ciphertext is part of the name of an entry, so a new key never meets the old one. */
const createSpKeyCache = (): SpKeyCache => {
  const keys = new Map<string, CachedKey>()
  const getPrefix = (providerId: number) => `${providerId} `
  return {
    get: (providerId, cipher, nowMs) => {
      const cached = keys.get(getPrefix(providerId) + cipher)
      return cached && getRemainingMs(cached.until, nowMs, spKeyCacheMs) > 0 ? cached.key : undefined
    },
    set: (providerId, cipher, cached) => {
      const name = getPrefix(providerId) + cipher
      // Deleted first, so that the first entry of the map is always the oldest.
      keys.delete(name)
      keys.set(name, cached)
      const [oldest = ''] = keys.keys()
      if (keys.size > spKeysCached) keys.delete(oldest)
    },
    keep: (providerId, ciphers) => {
      for (const name of keys.keys())
        if (
          name.startsWith(getPrefix(providerId)) &&
          !ciphers.includes(name.slice(getPrefix(providerId).length))
        )
          keys.delete(name)
    },
  }
}

/*
 * The service has one key pair per provider. It signs requests with it, and providers encrypt assertions for it. Keys are
 * stored encrypted, and only the functions of the SAML flow decrypt them. The stored fingerprint shows which certificate
 * a key belongs to without decrypting it.
 */

export const encryptKey = async (
  { vault }: Services,
  providerId: number,
  { text, fingerprint }: PrivateKey,
): Promise<StoredKey> => ({ cipher: await vault.encrypt(text, getSpKeyContext(providerId)), fingerprint })

/** Generates a key pair whose certificate has the host name of the service. */
export const generateKeyPair = ({ config, now }: Services): Promise<SpKeyPair> =>
  generateSpKeyPair(new URL(config.publicUrl).hostname, now())

export const encryptKeyPair = async (
  services: Services,
  providerId: number,
  { certificate, key }: SpKeyPair,
): Promise<StoredPair> => ({
  certificate: certificate.pem,
  key: await encryptKey(services, providerId, key),
})

/** The service's certificates for a provider, as its metadata contains them: current ones first, then the next. */
export const getSpCertificates = ({
  sp_certificate,
  spCertificateKey,
  nextSpPair,
}: SamlConnection): {
  readonly signing: readonly Certificate[]
  readonly encryption: readonly Certificate[]
} => {
  const isCurrent = ({ keyFingerprint }: Certificate) => keyFingerprint === spCertificateKey?.fingerprint
  // Without its key, a certificate is useless for signing and encryption.
  const own = sp_certificate === null || !spCertificateKey ? [] : parseStoredCertificates(sp_certificate)
  const next = nextSpPair ? parseStoredCertificates(nextSpPair.certificate) : []
  return {
    signing: [...own.filter(isCurrent), ...own.filter((certificate) => !isCurrent(certificate)), ...next],
    encryption: [...own.filter(isCurrent), ...next],
  }
}

/** What the keys of a provider are read from. */
type KeyOwner = Pick<SamlConnection, 'id' | 'spCertificateKey' | 'nextSpPair' | 'previousSpPair'>

/** Decrypts the key that signs requests to a provider. Returns undefined when there is none. */
export const loadSigningKey = async (
  services: Services,
  provider: KeyOwner,
): Promise<KeyObject | undefined> => {
  dropReplacedKeys(provider)
  return provider.spCertificateKey ? decryptKey(services, provider.id, provider.spCertificateKey) : undefined
}

/**
 * Decrypts the keys that an assertion may be encrypted for: the current, the next and the previous one. One that cannot be
 * read leaves the others usable.
 */
export const loadDecryptionKeys = async (
  services: Services,
  provider: KeyOwner,
): Promise<readonly KeyObject[]> => {
  dropReplacedKeys(provider)
  const keys = await Promise.all(
    listStoredKeys(provider).map((key) =>
      decryptKey(services, provider.id, key).catch((error: unknown) => {
        if (!(error instanceof UnreadableSecret)) throw error
        services.log.error('saml.key_unreadable', { provider: provider.id, error })
        return undefined
      }),
    ),
  )
  return keys.filter((key) => key !== undefined)
}

const listStoredKeys = ({ spCertificateKey, nextSpPair, previousSpPair }: KeyOwner): readonly StoredKey[] =>
  [spCertificateKey, nextSpPair?.key, previousSpPair?.key].filter((key) => key !== null && key !== undefined)

const spKeyCache = createSpKeyCache()

/** A key that was removed or replaced leaves the memory with the next use of its provider. */
const dropReplacedKeys = (provider: KeyOwner): void =>
  spKeyCache.keep(
    provider.id,
    listStoredKeys(provider).map(({ cipher }) => cipher),
  )

/** Decrypts a key, or returns it from the cache of this function. */
const decryptKey = async (
  { vault, now }: Services,
  providerId: number,
  { cipher }: StoredKey,
): Promise<KeyObject> => {
  const cached = spKeyCache.get(providerId, cipher, now())
  if (cached) return cached
  const key = restorePrivateKey(await vault.decrypt(cipher, getSpKeyContext(providerId)))
  spKeyCache.set(providerId, cipher, { key, until: now() + spKeyCacheMs })
  return key
}
