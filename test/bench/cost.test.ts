import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { leftOut } from './every-operation.ts'
import { measureEveryOperation } from './measure-every-operation.ts'

/* Calls and units in docs/cost.md are those that the bench measures. Times and prices depend on the machine. */

const page = readFileSync('docs/cost.md', 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \| (\S+) \| (\S+) \| (\S+) \|/gm)].map(
  ([, id = '', calls, readUnits, writeUnits]) => ({
    id,
    calls: Number(calls),
    readUnits: Number(readUnits),
    writeUnits: Number(writeUnits),
  }),
)
/** Its events are spread over partitions at random. A partition with more than 4 KB takes a further unit. */
const hasRandomUnits = 'get_audit_events'

it('the cost table has the measured table calls and units', async () => {
  const measured = await measureEveryOperation(process.env['DYNAMODB_ENDPOINT'] ?? '', 1)
  const expected = measured.map(({ cpuMs: _, ...cost }) => cost)
  const withoutRandomUnits = (costs: typeof rows) =>
    costs.map((cost) => (cost.id === hasRandomUnits ? { ...cost, readUnits: 0 } : cost))
  expect(withoutRandomUnits(rows)).toEqual(withoutRandomUnits(expected))
})

it('the cost page names every operation', () => {
  const named = [...rows.map(({ id }) => id), ...leftOut]
  expect(named.sort()).toEqual(operations.map(({ id }) => id).sort())
  for (const id of leftOut) expect(page).toContain(`\`${id}\``)
})
