import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startDaily } from '../../../infra/local/daily.ts'

it('is done soon after the start and then again and again, also after it failed', async () => {
  const failures: string[] = []
  let count = 0
  const daily = startDaily({
    run: async () => {
      count += 1
      if (count === 2) throw new Error('broken')
    },
    firstAfterMs: 5,
    everyMs: 5,
    onFailure: (reason) => failures.push(reason),
  })
  while (count < 4) await pause(5)
  await daily.close()
  const atClose = count
  await pause(40)
  expect(count).toBe(atClose)
  expect(failures).toEqual(['What is done every day failed: Error: broken'])
})

it('is not begun before its time, and closing waits for what is being done', async () => {
  let isDone = false
  const daily = startDaily({
    run: async () => {
      await pause(50)
      isDone = true
    },
    firstAfterMs: 30,
  })
  await pause(5)
  expect(isDone).toBe(false)
  await pause(50)
  await daily.close()
  expect(isDone).toBe(true)
})
