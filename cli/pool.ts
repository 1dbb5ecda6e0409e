import { isThrottled } from '../lib/kernel/table/engine-failure.ts'
import { retry } from '../lib/kernel/util/work.ts'

/**
 * Repeats a call that DynamoDB throttles. An on-demand table takes some hundred users a second at first, and more
 * after a while, so that the pauses grow to seconds.
 */
export const retryThrottled = <T>(call: () => Promise<T>): Promise<T> =>
  retry(call, { attempts: 15, baseMs: 50, capMs: 5000, isRetryable: isThrottled })

/** Runs a limited number of jobs in parallel. */
interface Pool {
  /** Starts the job when there is room. @throws the error of an earlier job; then it does not start this one. */
  readonly add: (job: () => Promise<void>) => Promise<void>
  /** Waits for all jobs. @throws the first error. */
  readonly drain: () => Promise<void>
}

export const startPool = (size: number): Pool => {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    add: async (job) => {
      while (running.size >= size) await Promise.race(running)
      throwFailure()
      const run: Promise<void> = job()
        .catch((error: unknown) => {
          failures.push(error)
        })
        .finally(() => running.delete(run))
      running.add(run)
    },
    drain: async () => {
      await Promise.all(running)
      throwFailure()
    },
  }
}
