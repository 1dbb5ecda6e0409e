import { findUnknownNames } from '../lib/kernel/options/check-options.ts'
import { withAws } from '../local/aws-environment.ts'
import { startEngine } from '../local/dynamodb.ts'
import { costPage } from './cost-page.ts'
import { measureCosts } from './measure-costs.ts'
import { countFunctionCalls, formatFunctionCalls, sumFunctionCalls } from './measure-function-calls.ts'
import { readRecordedCosts, writeRecordedCosts } from './recorded-costs.ts'

/*
 * Prints docs/cost.md with the CPU times of this machine: `npm run cost`. With `-- --write`, records calls, units and parts in
 * bench/recorded-costs.json instead, and keeps its CPU times. Then `npm run docs` writes the page. With `-- --functions`, prints how
 * often requests call each function.
 */

const problems = findUnknownNames(
  process.argv.slice(2),
  ['--write', '--functions'],
  'an option of npm run cost',
)
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}

const engine = await startEngine({ dataDir: ':memory:' })
process.env = withAws({ ...process.env, LOG_LEVEL: 'silent' }, { isOwnEngine: true })
try {
  const counted = await countFunctionCalls(engine.endpoint)
  if (process.argv.includes('--functions')) process.stdout.write(formatFunctionCalls(counted))
  else {
    const isWriting = process.argv.includes('--write')
    const measured = await measureCosts(engine.endpoint, 1, isWriting ? readRecordedCosts() : undefined)
    const costs = { ...measured, functionCalls: sumFunctionCalls(counted) }
    if (isWriting) writeRecordedCosts(costs)
    else process.stdout.write(costPage(costs))
  }
} finally {
  await engine.close()
}
