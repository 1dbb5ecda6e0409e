import { setTimeout as pause } from 'node:timers/promises'

export interface SchedulerOptions {
  readonly run: () => Promise<unknown>
  /** The delay of the first run, so that a machine that restarts every day runs the job as well. */
  readonly firstAfterMs?: number
  readonly everyMs?: number
  readonly onFailure?: (reason: string) => void
}

/** Runs a job once a day, like a schedule on AWS. `close` resolves after a running job has ended. */
export const startScheduler = ({
  run,
  firstAfterMs = 60_000,
  everyMs = 24 * 60 * 60_000,
  onFailure,
}: SchedulerOptions): { readonly close: () => Promise<void> } => {
  const closing = new AbortController()
  // The timer does not keep the process running.
  const wait = (ms: number) => pause(ms, undefined, { signal: closing.signal, ref: false })
  const work = async (): Promise<void> => {
    for (let delay = firstAfterMs; ; delay = everyMs) {
      await wait(delay)
      await run().catch((error: unknown) => onFailure?.(`The scheduled job failed: ${String(error)}`))
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
