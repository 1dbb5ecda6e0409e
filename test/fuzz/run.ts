import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/* Runs the fuzz with more requests than in the tests, or with another seed, and ten times as many random documents. */

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '50000' }, seed: { type: 'string', default: '1' } },
})
const files = [
  'test/passwords/generate.test.ts',
  'test/attacks/fuzz.test.ts',
  'test/http/random-input.test.ts',
  'test/connections/saml/assertion/fuzz.test.ts',
  'test/connections/saml/metadata-fuzz.test.ts',
]
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', 'unit', '--project', 'attacks', ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed },
  },
)
process.exitCode = status ?? 1
