import { expect, it } from 'vitest'
import { runSoak } from './soak/run-soak.ts'

it('finds nothing spent twice and nothing half-made after mixed load with disruptions', async () => {
  const { summary, problems } = await runSoak({ durationMs: 6000, seed: 1, inFlight: 16 })
  expect(problems, summary).toEqual([])
  expect(summary).toMatch(/spent twice: 0 of [1-9]/)
})
