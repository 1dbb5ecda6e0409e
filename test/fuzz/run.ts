import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { parseWholeNumber } from '../support/whole-number.ts'

/* Runs the fuzz with more requests than in the tests, or with another seed, and ten times as many random documents. */

const { requests, seed } = new Command('npm run fuzz --')
  .option('--requests <number>', 'how many hostile requests are sent', parseWholeNumber, 50_000)
  .option('--seed <number>', 'decides which ones', parseWholeNumber, 1)
  .allowExcessArguments(false)
  .parse()
  .opts<{ requests: number; seed: number }>()
const files = [
  'test/passwords/generate.test.ts',
  'test/attacks/fuzz.test.ts',
  'test/http/random-input.test.ts',
  'test/connections/saml/assertion/fuzz.test.ts',
  'test/connections/saml/metadata-fuzz.test.ts',
]
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', 'unit', '--project', '*-attacks', ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, FUZZ_REQUESTS: String(requests), FUZZ_SEED: String(seed) },
  },
)
process.exitCode = status ?? 1
