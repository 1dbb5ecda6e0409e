import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startScheduler } from '../../local/scheduler.ts'

it('runs the job soon after the start and repeats it, even after a failure', async () => {
  const failures: string[] = []
  let count = 0
  const scheduler = startScheduler({
    run: async () => {
      count += 1
      if (count === 2) throw new Error('broken')
    },
    firstAfterMs: 5,
    everyMs: 5,
    onFailure: (reason) => failures.push(reason),
  })
  while (count < 4) await pause(5)
  await scheduler.close()
  const atClose = count
  await pause(40)
  expect(count).toBe(atClose)
  expect(failures).toEqual(['The scheduled job failed: Error: broken'])
})

it('starts the job on time, and closing waits for a running job', async () => {
  let isDone = false
  const scheduler = startScheduler({
    run: async () => {
      await pause(50)
      isDone = true
    },
    firstAfterMs: 30,
  })
  await pause(5)
  expect(isDone).toBe(false)
  await pause(50)
  await scheduler.close()
  expect(isDone).toBe(true)
})
