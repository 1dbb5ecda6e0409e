import type { KeyObject } from 'node:crypto'
import { spKeysCached } from '../../limits/saml-limits.ts'

interface CachedKey {
  readonly key: KeyObject
  /** Epoch milliseconds. Then the key is decrypted again, so that revoked access to it takes effect. */
  readonly until: number
}

/** Decrypted service provider keys in the memory of a warm function, by provider and stored ciphertext. */
export interface SpKeyCache {
  readonly get: (providerId: number, cipher: string, nowMs: number) => KeyObject | undefined
  readonly set: (providerId: number, cipher: string, cached: CachedKey) => void
  /** Removes the keys of a provider except those with one of these ciphertexts. */
  readonly keep: (providerId: number, ciphers: readonly string[]) => void
}

/** Creates an empty cache. The ciphertext is part of the name of an entry, so a new key never meets the old one. */
export const createSpKeyCache = (): SpKeyCache => {
  const keys = new Map<string, CachedKey>()
  const getPrefix = (providerId: number) => `${providerId} `
  return {
    get: (providerId, cipher, nowMs) => {
      const cached = keys.get(getPrefix(providerId) + cipher)
      return cached && nowMs < cached.until ? cached.key : undefined
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
