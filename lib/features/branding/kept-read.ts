import type { Services } from '../../services.ts'

interface KeptReadTimes {
  readonly keptMs: number
  readonly waitMs: number
}

interface KeptValue<Value> {
  readonly at: number
  readonly value: Promise<Value | undefined>
}

/**
 * Returns a function that reads something at most once in `keptMs`. It never fails and waits at most `waitMs`: without an
 * answer of the table, the last known value counts, or undefined. Concurrent calls share one read. A failed read is repeated
 * no sooner than a successful one.
 */
export const createKeptRead = <Value>(
  name: string,
  read: (services: Services) => Promise<Value>,
  { keptMs, waitMs }: KeptReadTimes,
): ((services: Services) => Promise<Value | undefined>) => {
  const kept = new WeakMap<Services, KeptValue<Value>>()
  return (services) => {
    const known = kept.get(services)
    const age = known ? services.now() - known.at : Number.POSITIVE_INFINITY
    // A clock that was set back must not keep the value for longer.
    if (known && age >= 0 && age < keptMs) return known.value
    const value = limitWait(read(services), waitMs).catch((error: unknown) => {
      services.log.warn(`${name}.not_read`, { error })
      return known?.value
    })
    kept.set(services, { at: services.now(), value })
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
