import { signingKeyCacheMs } from '../limits/limits.ts'
import type { Services } from '../services.ts'
import { listSigningKeys, type SigningKeyRecord } from '../store/signing-keys/signing-keys.ts'

interface CachedKeys {
  readonly at: number
  readonly keys: Promise<readonly SigningKeyRecord[]>
}

const cached = new WeakMap<Services, CachedKeys>()

/**
 * The public parts of all keys, read at most once in `signingKeyCacheMs`. Times decide which of them sign or are published,
 * so a cached list is right even when the key changes. Concurrent calls share one read.
 */
export const getKeys = (services: Services): Promise<readonly SigningKeyRecord[]> => {
  const known = cached.get(services)
  const age = known ? services.now() - known.at : Number.POSITIVE_INFINITY
  // A clock that was set back must not keep the list for longer.
  return known && age >= 0 && age < signingKeyCacheMs ? known.keys : readKeys(services)
}

/** The same, read now. */
export const readKeys = (services: Services): Promise<readonly SigningKeyRecord[]> => {
  const reading = { at: services.now(), keys: listSigningKeys(services.table) }
  cached.set(services, reading)
  // A failure is not cached, so that the next request tries again.
  reading.keys.catch(() => {
    if (cached.get(services) === reading) cached.delete(services)
  })
  return reading.keys
}
