import { logoutFailuresBeforePause, logoutPauseMs } from '../../lib/limits/limits.ts'
import { isWithin } from '../../lib/limits/waits.ts'

/** Remembers which clients do not answer, so that thousands of ended sessions do not wait for one of them. */
export interface ClientPauses {
  readonly isPaused: (clientId: string, nowMs: number) => boolean
  /** Notes the result of a delivery. */
  readonly note: (clientId: string, wasInformed: boolean, nowMs: number) => void
}

/** Creates the memory of one function. It only saves time: each job waits for its next attempt in any case. */
export const createClientPauses = (): ClientPauses => {
  const failing = new Map<string, { readonly failures: number; readonly at: number }>()
  return {
    isPaused: (clientId, nowMs) => {
      const { failures, at } = failing.get(clientId) ?? { failures: 0, at: 0 }
      return failures >= logoutFailuresBeforePause && isWithin(at, nowMs, logoutPauseMs)
    },
    note: (clientId, wasInformed, nowMs) => {
      const { failures } = failing.get(clientId) ?? { failures: 0 }
      if (wasInformed) failing.delete(clientId)
      else failing.set(clientId, { failures: failures + 1, at: nowMs })
    },
  }
}
