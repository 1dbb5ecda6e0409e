import type { RunningFunction } from '../infra/lambda.ts'

/** A function that starts with its first call, as Lambda starts an instance. After `stop`, the next call starts it again. */
export const startLazily = (start: () => Promise<RunningFunction>): RunningFunction => {
  let starting: Promise<RunningFunction> | undefined
  let latest: RunningFunction | undefined
  return {
    invoke: async (...given) => {
      starting ??= start()
      latest = await starting
      return latest.invoke(...given)
    },
    log: () => latest?.log() ?? '',
    stop: async () => {
      const stopped = starting
      starting = undefined
      await (await stopped?.catch(() => undefined))?.stop()
    },
  }
}
