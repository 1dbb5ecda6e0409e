import { findUnknownNames } from '../lib/kernel/options/check-options.ts'
import { withAws } from '../local/aws-environment.ts'
import { startEngine } from '../local/dynamodb.ts'
import { writeCostPage } from './cost-page.ts'
import { formatOperations, formatProducts, products } from './cost-tables.ts'
import { formatAuditCosts, formatFixedCosts, measureIdleReads } from './fixed-costs.ts'
import { measureEveryOperation } from './measure-every-operation.ts'
import { priceOperation } from './price-operation.ts'
import { prices, pricesDate } from './prices.ts'

/*
 * Prints the tables of docs/cost.md: `npm run cost`. With `-- --write`, writes the calls, units and prices of operations to the
 * page instead, and keeps its CPU times.
 */

const problems = findUnknownNames(process.argv.slice(2), ['--write'], 'an option of npm run cost')
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}

const engine = await startEngine({ dataDir: ':memory:' })
process.env = withAws({ ...process.env, LOG_LEVEL: 'silent' }, true)
try {
  if (process.argv.includes('--write')) await writeCostPage(engine.endpoint)
  else {
    const measured = await measureEveryOperation(engine.endpoint, 4)
    const priced = measured.map((operation) => priceOperation(operation, prices))
    const fixed = formatFixedCosts(await measureIdleReads(engine.endpoint))
    const tables = [formatOperations(priced), formatProducts(priced), formatAuditCosts(products), fixed]
    process.stdout.write(`Prices of ${pricesDate}.\n\n${tables.join('\n\n')}\n`)
  }
} finally {
  await engine.close()
}
