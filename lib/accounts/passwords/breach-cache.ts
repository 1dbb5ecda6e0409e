import {
  breachCacheEntries,
  breachCacheMs,
  breachFailuresBeforePause,
  breachPauseMs,
} from '../../core/limits.ts'

/** What this process remembers of look-ups: the latest answers, and whether asking is worth the wait. */
export interface BreachCache {
  /** The answer to a prefix, if it is a recent one. */
  readonly recall: (prefix: string) => string | undefined
  /** Keeps an answer, which also ends a row of failures. */
  readonly keep: (prefix: string, answer: string) => void
  readonly failed: () => void
  /** True for a while after failures in a row; then one request may try again, and its failure starts a new pause. */
  readonly isPaused: () => boolean
}

export const createBreachCache = (now: () => number): BreachCache => {
  const answers = new Map<string, { readonly text: string; readonly at: number }>()
  let failures = 0
  let pausedUntil = 0
  return {
    recall: (prefix) => {
      const answer = answers.get(prefix)
      return answer && now() < answer.at + breachCacheMs ? answer.text : undefined
    },
    keep: (prefix, text) => {
      failures = 0
      // Set anew, so that the first of the map is always the oldest.
      answers.delete(prefix)
      answers.set(prefix, { text, at: now() })
      const [oldest = ''] = answers.keys()
      if (answers.size > breachCacheEntries) answers.delete(oldest)
    },
    failed: () => {
      failures += 1
      if (failures >= breachFailuresBeforePause && now() >= pausedUntil) pausedUntil = now() + breachPauseMs
    },
    isPaused: () => now() < pausedUntil,
  }
}
