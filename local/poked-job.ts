import { setTimeout as sleep } from 'node:timers/promises'

export interface PokedJobOptions {
  readonly run: () => Promise<unknown>
  /** How long a call waits for further ones. */
  readonly pauseMs?: number
  readonly onFailure?: (reason: string) => void
}

export interface PokedJob {
  /** Runs the job soon. Calls while it runs lead to one more run. */
  readonly poke: () => void
  /** Resolves after the current run has ended. */
  readonly close: () => Promise<void>
}

/** Runs a job when there may be something to do, like the events that start functions on AWS. */
export const startPokedJob = ({ run, pauseMs = 10, onFailure }: PokedJobOptions): PokedJob => {
  let working: Promise<void> | undefined
  let isWanted = false

  const work = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      await sleep(pauseMs)
      await run()
    }
  }

  const start = (): void => {
    working ??= work()
      .catch((error: unknown) => onFailure?.(`A job failed: ${String(error)}`))
      .finally(() => {
        working = undefined
        // A call may come after the last run, and before this.
        if (isWanted) start()
      })
  }

  return {
    poke: () => {
      isWanted = true
      start()
    },
    close: async () => {
      isWanted = false
      await working
    },
  }
}
