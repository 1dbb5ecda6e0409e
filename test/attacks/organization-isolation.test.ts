import { expect, it, vi } from 'vitest'
import { runStorm, stormSettings } from '../isolation/storm.ts'
import { useService } from '../support/use-service.ts'

/*
 * Fifty organizations against each other: see `test/isolation`. `npm run isolation -- --requests 1000000 --seed 2` sends more
 * requests, and others.
 */

const { ISOLATION_REQUESTS = '20000', ISOLATION_SEED = '1' } = process.env
const [requests, seed] = [Number(ISOLATION_REQUESTS), Number(ISOLATION_SEED)]
const service = await useService(stormSettings, { sendsMail: false, keepsLog: false })

it(
  `shows no organization to others in ${requests} random requests`,
  async () => {
    // Uses of credentials are written down once a minute, which would be another table call.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const report = await runStorm(service, { requests, seed })
    const { findings, statuses, ...counts } = report
    process.stdout.write(`Seed ${seed}: ${JSON.stringify({ ...counts, ...Object.fromEntries(statuses) })}\n`)
    expect(findings.join('\n\n')).toBe('')
    // The storm would find nothing if all of its requests were refused or compared with nothing.
    expect(report.compared).toBeGreaterThan(requests / 20)
    expect(report.seen).toBeGreaterThan(requests / 10)
  },
  90_000 + requests * 20,
)
