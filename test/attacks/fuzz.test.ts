import { expect, it } from 'vitest'
import { fuzz, fuzzSettings } from '../fuzz/fuzz.ts'
import { useService } from '../support/use-service.ts'

/*
 * Attackers send what no client sends: names of built-in members, huge, empty, repeated and malformed values, in every
 * place of a request. `npm run fuzz -- --requests 50000 --seed 2` sends more of them, and others.
 */

const { FUZZ_REQUESTS = '500', FUZZ_SEED = '1' } = process.env
const [requests, seed] = [Number(FUZZ_REQUESTS), Number(FUZZ_SEED)]
const service = await useService(fuzzSettings)

it(
  `answers ${requests} hostile requests as the OpenAPI document describes, and fails in none`,
  async () => {
    const { statuses, findings } = await fuzz(service, { requests, seed })
    const figures = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    process.stdout.write(`Seed ${seed}: ${figures.join(', ')}\n`)
    expect(findings.join('\n\n')).toBe('')
    expect(
      service.log.filter((line) => /mail\.(?:not_prepared|rendered_plainly|given_up)/.test(line)),
    ).toEqual([])
  },
  90_000 + requests * 100,
)
