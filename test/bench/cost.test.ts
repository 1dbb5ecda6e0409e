import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { formatOperation, formatProducts, products } from './cost-tables.ts'
import { formatAuditCosts, formatFixedCosts, measureIdleReads } from './fixed-costs.ts'
import { measureEveryOperation } from './measure-every-operation.ts'
import { priceOperation } from './price-operation.ts'
import { prices, pricesDate } from './prices.ts'

/* The bench measures the calls and units in docs/cost.md. CPU times depend on the machine, so those of the page count. */

const page = readFileSync('docs/cost.md', 'utf8')
const lines = page.split('\n')
const rows = lines.filter((line) => /^\| `\w+` \|/.test(line))
const idOf = (row: string): string => /`(\w+)`/.exec(row)?.[1] ?? ''
/** Its events are spread over partitions at random. A partition with more than 4 KB takes a further unit. */
const hasRandomUnits = 'get_audit_events'

/** The figures of an operation on the page that another run can change. */
const readChanging = (id: string): { cpuMs: number; readUnits?: number } => {
  const cells = rows.find((row) => idOf(row) === id)?.split(' | ') ?? []
  const cpuMs = Number(cells[7])
  return id === hasRandomUnits ? { cpuMs, readUnits: Number(cells[2]) } : { cpuMs }
}

it('the cost table has the measured table calls and units, and the prices that follow', async () => {
  const measured = await measureEveryOperation(process.env['DYNAMODB_ENDPOINT'] ?? '', 1)
  const priced = measured.map((one) => priceOperation({ ...one, ...readChanging(one.id) }, prices))
  expect(rows).toEqual(priced.map(formatOperation))
  expect(lines).toEqual(expect.arrayContaining(formatProducts(priced).split('\n')))
  expect(page).toContain(pricesDate)
})

it('the cost page has the parts of the templates, and the prices that follow', async () => {
  const table = formatFixedCosts(await measureIdleReads(process.env['DYNAMODB_ENDPOINT'] ?? ''))
  expect(lines).toEqual(expect.arrayContaining(table.split('\n')))
})

it('the cost page has the cost of stored audit events', () => {
  expect(lines).toEqual(expect.arrayContaining(formatAuditCosts(products).split('\n')))
})

it('the cost page has every operation once', () => {
  expect(rows.map(idOf).sort()).toEqual(operations.map(({ id }) => id).sort())
})
