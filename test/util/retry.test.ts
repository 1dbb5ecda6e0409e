import { describe, expect, it } from 'vitest'
import { type RetryClock, type RetryOptions, retry } from '../../lib/kernel/util/work.ts'

const options: RetryOptions = { attempts: 5, isRetryable: () => true, baseMs: 10, capMs: 50 }

/** A clock that records pauses instead of waiting. */
const recordingClock = (random = 0.5): RetryClock & { readonly pauses: number[] } => {
  const pauses: number[] = []
  return {
    pauses,
    pause: async (ms) => {
      pauses.push(ms)
    },
    random: () => random,
  }
}

/** An action that fails `failures` times and then returns the number of the attempt. */
const failing = (failures: number) => {
  const attempts: number[] = []
  const action = async (attempt: number) => {
    attempts.push(attempt)
    if (attempts.length <= failures) throw new Error(`failure ${attempt}`)
    return attempt
  }
  return { action, attempts }
}

describe('retry', () => {
  it('runs a successful action once and does not pause', async () => {
    const { action, attempts } = failing(0)
    const clock = recordingClock()
    expect(await retry(action, options, clock)).toBe(1)
    expect(attempts).toEqual([1])
    expect(clock.pauses).toEqual([])
  })

  it('repeats a failed action and returns its first success', async () => {
    const { action, attempts } = failing(3)
    expect(await retry(action, options, recordingClock())).toBe(4)
    expect(attempts).toEqual([1, 2, 3, 4])
  })

  it('throws the last error when all attempts have failed', async () => {
    const { action, attempts } = failing(9)
    await expect(retry(action, options, recordingClock())).rejects.toThrow('failure 5')
    expect(attempts).toEqual([1, 2, 3, 4, 5])
  })

  it('throws an error that is not retryable at once', async () => {
    const { action, attempts } = failing(9)
    const clock = recordingClock()
    const isRetryable = (error: unknown) => error instanceof Error && error.message !== 'failure 2'
    await expect(retry(action, { ...options, isRetryable }, clock)).rejects.toThrow('failure 2')
    expect(attempts).toEqual([1, 2])
    expect(clock.pauses).toHaveLength(1)
  })

  it('doubles the longest pause up to the cap', async () => {
    const clock = recordingClock(0.999999)
    await expect(retry(failing(9).action, { ...options, attempts: 6 }, clock)).rejects.toThrow('failure 6')
    expect(clock.pauses.map(Math.round)).toEqual([10, 20, 40, 50, 50])
  })

  it('draws each pause from the whole span down to zero', async () => {
    const clock = recordingClock(0)
    await expect(retry(failing(9).action, options, clock)).rejects.toThrow('failure 5')
    expect(clock.pauses).toEqual([0, 0, 0, 0])
  })

  it('waits on the real timer when no clock is given', async () => {
    const { action } = failing(2)
    expect(await retry(action, { ...options, baseMs: 1, capMs: 1 })).toBe(3)
  })
})
