import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startPokedJob } from '../../local/outbox.ts'

describe('a job that requests start', () => {
  it('runs once for calls before it starts, and once more for calls while it runs', async () => {
    let runs = 0
    const started = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const job = startPokedJob({
      pauseMs: 0,
      run: async () => {
        runs += 1
        started.resolve()
        await mayEnd.promise
      },
    })
    for (let call = 0; call < 5; call++) job.poke()
    await started.promise
    expect(runs).toBe(1)
    for (let call = 0; call < 5; call++) job.poke()
    mayEnd.resolve()
    while (runs < 2) await sleep(1)
    await job.close()
    expect(runs).toBe(2)
  })

  it('reports a failure and runs again later', async () => {
    const failures: string[] = []
    let runs = 0
    const run = async () => {
      runs += 1
      throw new Error('no table')
    }
    const job = startPokedJob({ pauseMs: 0, run, onFailure: (reason) => failures.push(reason) })
    job.poke()
    while (failures.length < 1) await sleep(1)
    job.poke()
    while (failures.length < 2) await sleep(1)
    await job.close()
    expect([runs, failures[0]]).toEqual([2, 'A job failed: Error: no table'])
  })
})
