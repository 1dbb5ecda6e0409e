import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { parseWholeNumber } from '../support/whole-number.ts'

/* Runs the storm of organizations against each other with more requests than in the tests, or with another seed. */

const { requests, seed } = new Command('npm run isolation --')
  .option('--requests <number>', 'how many random requests are sent', parseWholeNumber, 1_000_000)
  .option('--seed <number>', 'decides which ones', parseWholeNumber, 2)
  .allowExcessArguments(false)
  .parse()
  .opts<{ requests: number; seed: number }>()
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', '*-attacks', 'test/attacks/organization-isolation.test.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, ISOLATION_REQUESTS: String(requests), ISOLATION_SEED: String(seed) },
  },
)
process.exitCode = status ?? 1
