/** Runs work in parallel, so much at a time. */
export interface Pool {
  /** Begins the work as soon as there is room for it. @throws what earlier work threw; then nothing is begun. */
  readonly add: (work: () => Promise<void>) => Promise<void>
  /** Resolves once all work has ended. @throws the first of what it threw. */
  readonly drain: () => Promise<void>
}

export const startPool = (size: number): Pool => {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0]
  }
  return {
    add: async (work) => {
      while (running.size >= size) await Promise.race(running)
      throwFailure()
      const job: Promise<void> = work()
        .catch((error: unknown) => {
          failures.push(error)
        })
        .finally(() => running.delete(job))
      running.add(job)
    },
    drain: async () => {
      await Promise.all(running)
      throwFailure()
    },
  }
}
