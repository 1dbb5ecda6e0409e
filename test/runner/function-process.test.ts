import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Clock, startFunction } from '../infra/lambda.ts'
import { startLazily } from './lazy-function.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-function-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(
  join(folder, 'index.mjs'),
  `let calls = 0
  export const handler = async (event) => {
    process.stdout.write('a line of ' + event.name)
    if (event.name === 'broken') throw new Error('it is broken')
    const times = [Date.now(), new Date().getTime()]
    await new Promise((resolve) => setTimeout(resolve, 20))
    return {
      calls: ++calls,
      names: Object.keys(process.env).filter((name) => /^(OWN|HOME|PATH)$/.test(name)),
      times: [...times, Date.now()],
      isDate: new Date() instanceof Date,
      fixed: new Date(5).toISOString(),
    }
  }`,
)

it('runs a function with only its environment, at the time of the test, and passes its log on', async () => {
  let clock: Clock = { now: 1000, isFrozen: true }
  const lines: string[] = []
  const running = startLazily(() =>
    startFunction(folder, { OWN: '1' }, { onLog: (line) => lines.push(line), readClock: () => clock }),
  )
  const first = await running.invoke({ name: 'first' })
  expect(first).toEqual({
    calls: 1,
    names: ['OWN'],
    times: [1000, 1000, 1000],
    isDate: true,
    fixed: '1970-01-01T00:00:00.005Z',
  })
  expect(lines).toEqual(['a line of first'])

  clock = { now: 2_000_000, isFrozen: false }
  const [before, , after] = (await running.invoke({ name: 'second' })).times
  expect(before).toBeGreaterThanOrEqual(2_000_000)
  expect(after).toBeGreaterThan(before)

  await expect(running.invoke({ name: 'broken' })).rejects.toThrow('it is broken')
  await running.stop()
  expect((await running.invoke({ name: 'again' })).calls).toBe(1)
  expect(lines).toEqual(['first', 'second', 'broken', 'again'].map((name) => `a line of ${name}`))
  await running.stop()
})
