import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/* Runs the fuzz with more requests than in the tests, or with another seed. */

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '50000' }, seed: { type: 'string', default: '1' } },
})
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'slow', 'test/attacks/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: values.seed },
})
process.exitCode = status ?? 1
