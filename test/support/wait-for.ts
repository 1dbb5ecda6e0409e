import { setTimeout as pause } from 'node:timers/promises'

const pauseMs = 25
/** About 30 seconds, for what would never pass: a busy machine takes many times as long as a quiet one. */
const maxTries = 1200

/** Repeats a check until it passes, and returns its result. `vi.waitFor` would move the clock of a test. */
export const waitFor = async <Result>(check: () => Result | Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await check()
    } catch (error) {
      if (tries === maxTries) throw error
    }
    await pause(pauseMs)
  }
}
