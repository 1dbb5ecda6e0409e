import type { Services } from '../../services.ts'

interface KeptReadTimes {
  readonly keptMs: number
  readonly waitMs: number
  /** How many values are kept of a read with a key. */
  readonly keysMax?: number
}

interface KeptValue<Value> {
  readonly at: number
  readonly value: Promise<Value | undefined>
}

/**
 * Returns a function that reads something at most once in `keptMs`. It never fails and waits at most `waitMs`: without an
 * answer of the table, the last known value counts, or undefined. Concurrent calls share one read. A failed read is repeated
 * no sooner than a successful one. Each key has its own value, and the oldest ones are dropped.
 */
export const createKeptRead = <Value>(
  name: string,
  read: (services: Services, key: string) => Promise<Value>,
  { keptMs, waitMs, keysMax = 1 }: KeptReadTimes,
): ((services: Services, key?: string) => Promise<Value | undefined>) => {
  const keptOf = new WeakMap<Services, Map<string, KeptValue<Value>>>()
  return (services, key = '') => {
    const kept = keptOf.get(services) ?? new Map<string, KeptValue<Value>>()
    keptOf.set(services, kept)
    const known = kept.get(key)
    const age = known ? services.now() - known.at : Number.POSITIVE_INFINITY
    // A clock that was set back must not keep the value for longer.
    if (known && age >= 0 && age < keptMs) return known.value
    const value = limitWait(read(services, key), waitMs).catch((error: unknown) => {
      services.log.warn(`${name}.not_read`, { error })
      return known?.value
    })
    // Deleted first, so that the first entry of the map is always the oldest.
    kept.delete(key)
    kept.set(key, { at: services.now(), value })
    const [oldest = ''] = kept.keys()
    if (kept.size > keysMax) kept.delete(oldest)
    return value
  }
}

/**
 * Waits at most `waitMs` for a read of the table. The read itself goes on.
 *
 * @throws Error if there is no answer in time
 */
export const limitWait = async <Value>(reading: Promise<Value>, waitMs: number): Promise<Value> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the table did not answer in time')), waitMs)
  })
  try {
    return await Promise.race([reading, timeout])
  } finally {
    clearTimeout(timer)
  }
}
