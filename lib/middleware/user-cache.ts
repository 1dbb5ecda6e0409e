const maxEntries = 1_000

/** Keeps values in memory for a short time. Keys are hashed, so that a memory dump shows no credential of a past request. */
export interface UserCache<Value> {
  readonly load: (credential: string, loadValue: () => Promise<Value>) => Promise<Value>
}

const hash = async (credential: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(credential))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** Creates a cache of up to 1,000 values. With `cacheMs` 0 it keeps nothing. Failures are never kept. */
export const createUserCache = <Value>(cacheMs: number): UserCache<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly expiresAt: number }>()
  return {
    load: async (credential, loadValue) => {
      if (cacheMs <= 0) return loadValue()
      const key = await hash(credential)
      const entry = entries.get(key)
      if (entry && entry.expiresAt > Date.now()) return entry.value
      entries.delete(key)
      // The time counts from the question: the answer may be old when it arrives.
      const expiresAt = Date.now() + cacheMs
      const value = await loadValue()
      const [oldest] = entries.keys()
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest)
      entries.set(key, { value, expiresAt })
      return value
    },
  }
}
