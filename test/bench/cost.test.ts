import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { formatOperation, formatProducts } from './cost-tables.ts'
import { measureEveryOperation } from './measure-every-operation.ts'
import { priceOperation } from './price-operation.ts'
import { prices, pricesDate } from './prices.ts'

/* The bench measures the calls and units in docs/cost.md. CPU times depend on the machine, so those of the page count. */

const page = readFileSync('docs/cost.md', 'utf8')
const lines = page.split('\n')
const rows = lines.filter((line) => /^\| `\w+` \|/.test(line))
const idOf = (row: string): string => /`(\w+)`/.exec(row)?.[1] ?? ''
const cpuMsOf = (row: string): number => Number(row.split(' | ')[7])
/** It reads a partition for each month that events are kept, so its cost depends on the day. */
const dependsOnDate = 'get_audit_events'

it('the cost table has the measured table calls and units, and the prices that follow', async () => {
  const measured = await measureEveryOperation(process.env['DYNAMODB_ENDPOINT'] ?? '', 1)
  const cpuMs = new Map(rows.map((row) => [idOf(row), cpuMsOf(row)]))
  const priced = measured.map((one) => priceOperation({ ...one, cpuMs: cpuMs.get(one.id) ?? 0 }, prices))
  const isFixed = (row: string) => idOf(row) !== dependsOnDate
  expect(rows.filter(isFixed)).toEqual(priced.map(formatOperation).filter(isFixed))
  expect(lines).toEqual(expect.arrayContaining(formatProducts(priced).split('\n')))
  expect(page).toContain(pricesDate)
})

it('the cost page has every operation once', () => {
  expect(rows.map(idOf).sort()).toEqual(operations.map(({ id }) => id).sort())
})
