import { expect, it } from 'vitest'
import { measureForPage, readCostPage, readOperationId } from '../../bench/cost-page.ts'
import { formatOperation, formatProducts, products } from '../../bench/cost-tables.ts'
import { formatAuditCosts, formatFixedCosts, measureIdleReads } from '../../bench/fixed-costs.ts'
import { pricesDate } from '../../bench/prices.ts'
import { operations } from '../../lib/features/operations.ts'

/* The bench measures the calls and units in docs/cost.md. CPU times depend on the machine, so those of the page count. */

const { text: page, lines, rows } = readCostPage()

it('the cost table has the measured table calls and units, and the prices that follow', async () => {
  const priced = await measureForPage(process.env['DYNAMODB_ENDPOINT'] ?? '')
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
  expect(rows.map(readOperationId).sort()).toEqual(operations.map(({ id }) => id).sort())
})
