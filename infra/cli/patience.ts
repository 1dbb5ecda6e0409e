import { setTimeout as pause } from 'node:timers/promises'

const tries = 12
const firstPauseMs = 50
const longestPauseMs = 5000

const throttles = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  // Several at a time ask whether the same group is there.
  'TransactionConflict',
]

/**
 * Makes a call again, after longer and longer pauses, while it is refused for being one too many: a table on demand
 * takes some hundred users a second at first, and more after a while.
 */
export const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (!isThrottled(error) || attempt + 1 >= tries) throw error
      await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2))
    }
  }
}

interface Refusal {
  readonly name?: string
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

const isThrottled = (error: unknown): boolean => {
  const { name = '', CancellationReasons = [] } = error as Refusal
  return throttles.includes(name) || CancellationReasons.some(({ Code = '' }) => throttles.includes(Code))
}
