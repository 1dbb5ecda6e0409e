import { Command, InvalidArgumentError } from 'commander'
import { withAws } from '../../local/aws-environment.ts'
import { startEngine } from '../../local/dynamodb.ts'
import { textTable } from '../support/text-table.ts'
import { parseWholeNumber } from '../support/whole-number.ts'
import { type ChaosReport, runChaos } from './run-chaos.ts'
import { startDisturbedWorld, startKilledWorld, type World } from './worlds.ts'

/*
 * Runs clients while disruptions disturb the table, or while local mode is killed, and compares what was acknowledged with what is
 * stored. Without `--disruptions` and `--kills`, each form gets half of the time.
 */

const parseMinutes = (text: string): number => {
  const minutes = Number(text)
  if (!(minutes > 0)) throw new InvalidArgumentError('It must be a positive number.')
  return minutes
}

const { minutes, seed, ...forms } = new Command('npm run chaos --')
  .option('--minutes <number>', 'how long clients work', parseMinutes, 10)
  .option('--seed <number>', 'decides which calls are disturbed', parseWholeNumber, Date.now() % 1_000_000)
  .option('--disruptions', 'only disturbs the calls of the table')
  .option('--kills', 'only kills local mode and its engine')
  .allowExcessArguments(false)
  .parse()
  .opts<{ minutes: number; seed: number; disruptions?: true; kills?: true }>()
const isBoth = forms.disruptions === forms.kills

const run = async (name: string, startWorld: (seed: number) => Promise<World>, inFlight: number) => {
  const world = await startWorld(seed)
  try {
    const endsAt = performance.now() + (minutes / (isBoth ? 2 : 1)) * 60_000
    const goesOn = () => performance.now() < endsAt
    const report = await runChaos({ world, seed, inFlight, goesOn })
    print(name, report)
    return report.violations
  } finally {
    await world.close()
  }
}

/** How many lives with violations are printed in full. */
const shownDetails = 20

const print = (name: string, { lives, checks, counts, disruptions, violations, details }: ChaosReport) => {
  for (const detail of details.slice(0, shownDetails)) process.stdout.write(`${detail}\n\n`)
  const happened = Object.entries(disruptions).map(([kind, count]) => [`  ${kind}`, count])
  const { acked, refused, unknown, busy } = counts
  process.stdout.write(
    `${textTable(
      [`${name}, seed ${seed}`, ''],
      [
        ['rounds', lives],
        ['operations', acked + refused + unknown],
        ['  acknowledged', acked],
        ['  refused', refused],
        ['    of them by a busy service', busy],
        ['  without a clear answer', unknown],
        ['disruptions', Object.values(disruptions).reduce((sum, count) => sum + count, 0)],
        ...happened,
        ['checks at the end', checks],
        ['violations', violations],
      ],
    )}\n`,
  )
}

let violations = 0
if (isBoth || forms.disruptions) {
  const engine = await startEngine({ dataDir: ':memory:' })
  process.env = { ...withAws(process.env, { isOwnEngine: true }), DYNAMODB_ENDPOINT: engine.endpoint }
  violations += await run('disruptions', startDisturbedWorld, 12)
  await engine.close()
}
if (isBoth || forms.kills) {
  process.env = withAws(process.env, { isOwnEngine: true })
  violations += await run('kills', startKilledWorld, 8)
}
process.exit(violations > 0 ? 1 : 0)
