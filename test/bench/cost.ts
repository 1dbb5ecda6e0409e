import { withAws } from '../../local/aws-environment.ts'
import { startEngine } from '../../local/dynamodb.ts'
import { formatOperations, formatProducts } from './cost-tables.ts'
import { measureEveryOperation } from './measure-every-operation.ts'
import { priceOperation } from './price-operation.ts'
import { prices, pricesDate } from './prices.ts'

/* Prints the tables of docs/cost.md: `npm run cost`. */

const engine = await startEngine({ dataDir: ':memory:' })
process.env = withAws({ ...process.env, LOG_LEVEL: 'silent' }, true)
try {
  const measured = await measureEveryOperation(engine.endpoint, 4)
  const priced = measured.map((operation) => priceOperation(operation, prices))
  process.stdout.write(
    `Prices of ${pricesDate}.\n\n${formatOperations(priced)}\n\n${formatProducts(priced)}\n`,
  )
} finally {
  await engine.close()
}
