import { setTimeout as pause } from 'node:timers/promises'

export interface DailyOptions {
  readonly run: () => Promise<unknown>
  /** How long after the start it is done first: a machine that is started anew every day gets its turn, too. */
  readonly firstAfterMs?: number
  readonly everyMs?: number
  readonly onFailure?: (reason: string) => void
}

/** Does something once a day, as a schedule does on AWS. Resolves, once it is closed, when nothing is being done. */
export const startDaily = ({
  run,
  firstAfterMs = 60_000,
  everyMs = 24 * 60 * 60_000,
  onFailure,
}: DailyOptions): { readonly close: () => Promise<void> } => {
  const closing = new AbortController()
  // It keeps no process alive.
  const wait = (ms: number) => pause(ms, undefined, { signal: closing.signal, ref: false })
  const work = async (): Promise<void> => {
    for (let delay = firstAfterMs; ; delay = everyMs) {
      await wait(delay)
      await run().catch((error: unknown) => onFailure?.(`What is done every day failed: ${String(error)}`))
    }
  }
  const working = work().catch(() => {})
  return {
    close: async () => {
      closing.abort()
      await working
    },
  }
}
