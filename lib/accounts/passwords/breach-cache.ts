import {
  breachCacheEntries,
  breachCacheMs,
  breachFailuresBeforePause,
  breachPauseMs,
} from '../../limits/password-limits.ts'
import { getRemainingMs, isWithin } from '../../limits/waits.ts'

/** The latest answers of the breach service, and whether it is worth asking at present. */
export interface BreachCache {
  /** The cached answer for a prefix, unless it is too old. */
  readonly get: (prefix: string) => string | undefined
  /** Caches an answer, and resets the number of consecutive failures. */
  readonly set: (prefix: string, answer: string) => void
  readonly countFailure: () => void
  /** True for a while after consecutive failures. Then one request may try again, and its failure starts a new pause. */
  readonly isPaused: () => boolean
}

export const createBreachCache = (now: () => number): BreachCache => {
  const answers = new Map<string, { readonly text: string; readonly at: number }>()
  let failures = 0
  let pausedUntil = 0
  const isPaused = () => getRemainingMs(pausedUntil, now(), breachPauseMs) > 0
  return {
    get: (prefix) => {
      const answer = answers.get(prefix)
      return answer && isWithin(answer.at, now(), breachCacheMs) ? answer.text : undefined
    },
    set: (prefix, text) => {
      failures = 0
      // Deleted first, so that the first entry of the map is always the oldest.
      answers.delete(prefix)
      answers.set(prefix, { text, at: now() })
      const [oldest = ''] = answers.keys()
      if (answers.size > breachCacheEntries) answers.delete(oldest)
    },
    countFailure: () => {
      failures += 1
      if (failures >= breachFailuresBeforePause && !isPaused()) pausedUntil = now() + breachPauseMs
    },
    isPaused,
  }
}
