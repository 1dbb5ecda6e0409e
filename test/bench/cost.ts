import { withAws } from '../../infra/local/aws-environment.ts'
import { startEngine } from '../../infra/local/dynamodb.ts'
import { leftOut } from './every-operation.ts'
import { measureEveryOperation } from './measure-every-operation.ts'
import { priceOperation } from './price-operation.ts'
import { prices, pricesDate } from './prices.ts'

/* Prints the cost table of docs/cost.md: `npm run cost`. */

const engine = await startEngine({ dataDir: ':memory:' })
process.env = withAws({ ...process.env, LOG_LEVEL: 'silent' }, true)
const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |\n`
try {
  const measured = await measureEveryOperation(engine.endpoint, 4)
  const regions = prices.map(({ region }) => region)
  process.stdout.write(`Prices of ${pricesDate}.\n\n`)
  const numbers = ['calls', 'read units', 'write units', 'MB', 'CPU ms', 'billed ms']
  process.stdout.write(row(['operation', ...numbers, ...regions.map((region) => `$ per million, ${region}`)]))
  process.stdout.write(row(['---', ...numbers.map(() => '---'), ...regions.map(() => '---')]))
  for (const one of measured.map((operation) => priceOperation(operation, prices)))
    process.stdout.write(
      row([
        `\`${one.id}\``,
        ...[one.calls, one.readUnits, one.writeUnits, one.memoryMb, one.cpuMs.toFixed(1), one.billedMs],
        ...one.prices.map((price) => price.toFixed(2)),
      ]),
    )
  process.stdout.write(`\nNot measured: ${leftOut.join(', ')}\n`)
} finally {
  await engine.close()
}
