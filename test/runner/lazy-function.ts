import type { RunningFunction } from '../infra/lambda.ts'

/** A function that starts with its first call, as Lambda starts an instance. */
export const startLazily = (start: () => Promise<RunningFunction>): RunningFunction => {
  let started: Promise<RunningFunction> | undefined
  let running: RunningFunction | undefined
  return {
    invoke: async (event) => {
      started ??= start()
      running = await started
      return running.invoke(event)
    },
    log: () => running?.log() ?? '',
    stop: async () => {
      await (await started?.catch(() => undefined))?.stop()
    },
  }
}
