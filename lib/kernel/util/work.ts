import { setTimeout as sleep } from 'node:timers/promises'

export interface RetryOptions {
  /** The number of times the action may run, including the first. */
  readonly attempts: number
  /** Whether the same call may succeed later. Any other error is thrown at once. */
  readonly isRetryable: (error: unknown) => boolean
  /** The longest pause after the first attempt, in milliseconds. It doubles with each attempt. */
  readonly baseMs: number
  /** The longest pause of all, in milliseconds. */
  readonly capMs: number
}

/** What `retry` needs from its environment. Tests replace it. */
export interface RetryClock {
  readonly pause: (ms: number) => Promise<void>
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number
}

const systemClock: RetryClock = { pause: (ms) => sleep(ms), random: Math.random }

/**
 * Runs `action` until it succeeds, fails with an error that is not retryable, or has used all attempts. `action`
 * receives the number of the attempt, starting at 1.
 *
 * Each pause is a random time between 0 and a limit that doubles (exponential back-off with full jitter). Callers
 * that collided once would otherwise collide again at the same moment.
 *
 * @throws the error of the last attempt.
 */
export const retry = async <T>(
  action: (attempt: number) => Promise<T>,
  { attempts, isRetryable, baseMs, capMs }: RetryOptions,
  { pause, random }: RetryClock = systemClock,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt)
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error
    }
    await pause(random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)))
  }
}

/**
 * Maps items with an asynchronous function, `batchSize` at a time. All at once would open a connection for each item.
 */
export const mapInBatches = async <Input, Output>(
  items: readonly Input[],
  batchSize: number,
  work: (item: Input) => Promise<Output>,
): Promise<Output[]> => {
  const results: Output[] = []
  for (let at = 0; at < items.length; at += batchSize)
    results.push(...(await Promise.all(items.slice(at, at + batchSize).map(work))))
  return results
}

/** Returns a function that does the work once per input and returns the same result from then on. */
export const memoize = <Input, Output extends object>(
  work: (input: Input) => Output,
): ((input: Input) => Output) => {
  const results = new Map<Input, Output>()
  return (input) => {
    const result = results.get(input) ?? work(input)
    results.set(input, result)
    return result
  }
}
