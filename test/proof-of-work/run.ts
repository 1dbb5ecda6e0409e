import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { parseWholeNumber } from '../support/whole-number.ts'

/* Runs the storm of bots with more requests than in the tests. `--write` records what it costs for `docs/cost.md`. */

const { requests, write } = new Command('npm run bot-storm --')
  .option('--requests <number>', 'how many requests bots send, in hundreds', parseWholeNumber, 50_000)
  .option('--write', 'records the storm in bench/recorded-bot-storm.json', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ requests: number; write: boolean }>()
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--project', '*-attacks', 'test/attacks/bot-storm.test.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, BOT_STORM_REQUESTS: String(requests), BOT_STORM_RECORD: String(write) },
  },
)
process.exitCode = status ?? 1
