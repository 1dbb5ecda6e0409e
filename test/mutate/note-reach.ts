import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'

declare global {
  /** Counts a call of a function of the sources, in a copy with probes. */
  var countCall: ((name: number) => void) | undefined
}

/** Appends what the current test file calls to the file that `MUTATE_REACH` names. */
export const noteReach = (): void => {
  const output = process.env['MUTATE_REACH']
  if (output === undefined) return
  const calls = new Map<number, number>()
  const startedAt = performance.now()
  globalThis.countCall = (name) => {
    calls.set(name, (calls.get(name) ?? 0) + 1)
  }
  afterAll(() => {
    const { testPath } = expect.getState()
    const line = { testPath, ms: performance.now() - startedAt, calls: [...calls] }
    appendFileSync(output, `${JSON.stringify(line)}\n`)
  })
}
