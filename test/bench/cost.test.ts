import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { costPage } from '../../bench/cost-page.ts'
import { measureCosts } from '../../bench/measure-costs.ts'
import { countFunctionCalls, sumFunctionCalls } from '../../bench/measure-function-calls.ts'
import { priceFixedParts, priceFrontDoorRequests, priceMonth, sizes } from '../../bench/monthly-costs.ts'
import { type Price, prices } from '../../bench/prices.ts'
import { type RecordedCosts, readRecordedCosts } from '../../bench/recorded-costs.ts'
import { priceRival, type Rival, rivals } from '../../bench/rivals.ts'
import { operations } from '../../lib/features/operations.ts'

/* The pages about cost and scale compute with what is recorded here. CPU times depend on the machine, so those that are recorded count. */

const recorded = readRecordedCosts()
const page = readFileSync('docs/cost.md', 'utf8')

it('the recorded costs are those of the handlers, the background functions and the templates', async () => {
  const { functionCalls: _, ...others } = recorded
  expect(await measureCosts(process.env['DYNAMODB_ENDPOINT'] ?? '', 1, recorded)).toEqual(others)
})

const howToCompare = `Warm requests call other functions than those that are recorded. "npm run cost -- --functions" lists the calls of each: compare its
output with that of the commit before. If the change is wanted, run "npm run cost -- --write" and name the reason in the commit.`

it('the recorded calls of functions are those of warm requests', async () => {
  const counted = await countFunctionCalls(process.env['DYNAMODB_ENDPOINT'] ?? '')
  expect(sumFunctionCalls(counted), howToCompare).toEqual(recorded.functionCalls)
})

it('the recorded costs have every operation once, with its CPU time', () => {
  expect(Object.keys(recorded.operations).sort()).toEqual(operations.map(({ id }) => id).sort())
  for (const [id, { cpuMs }] of Object.entries(recorded.operations)) expect(cpuMs, id).toBeGreaterThan(0)
})

describe('the page about cost', () => {
  it('is computed from the recorded costs', () => {
    expect(page).toBe(costPage(recorded))
  })

  /** Costs in which one number is another one. */
  const alter = (change: (costs: Mutable<RecordedCosts>) => void): RecordedCosts => {
    const costs = structuredClone(recorded) as Mutable<RecordedCosts>
    change(costs)
    return costs
  }

  it.each<[string, (costs: Mutable<RecordedCosts>) => void]>([
    ['units of an operation', ({ operations: { login } }) => login && login.writeUnits++],
    ['writes of a visit', (costs) => costs.afterFiveMinutes.writeUnits++],
    ['writes of the first request of a day', (costs) => costs.firstOfDay.writeUnits++],
    ['files of the sign-in page', (costs) => costs.signInPage.files++],
    ['units of a forwarded event', (costs) => costs.auditEvent.forwarded.readUnits++],
    ['bytes of an event', (costs) => (costs.auditEvent.bytes += 100)],
    ['units of an email', (costs) => costs.sentEmail.writeUnits++],
    ['alarms', (costs) => costs.parts.default.alarmMetrics++],
    ['keys with a setting', (costs) => costs.parts.backupRegion.keys++],
    ['rules of the front door', (costs) => costs.parts.frontDoor.webAclRules++],
  ])('changes with the %s', (_, change) => {
    const before = totalsOf(recorded)
    const changed = alter(change)
    expect(costPage(changed)).not.toBe(page)
    expect(totalsOf(changed)).not.toEqual(before)
  })

  it('names the price, the source and the day for everything that it computes with', () => {
    for (const { unit, dollars, source, seen } of Object.values<Price>(prices)) {
      expect(page).toContain(`| ${unit} | ${dollars} |`)
      expect(page).toContain(`<${source}> | ${seen}`)
    }
    for (const { name, source, seen } of rivals)
      expect(page).toMatch(new RegExp(`^\\| ${name} \\|.*<${source}> \\| ${seen} \\|$`, 'm'))
  })
})

type Mutable<T> = { -readonly [Name in keyof T]: Mutable<T[Name]> }

const totalsOf = (costs: RecordedCosts): readonly number[] => [
  ...sizes.flatMap((size) =>
    (['A', 'B', 'C'] as const).flatMap((shape) => {
      const { total, withFrontDoor, withBackup } = priceMonth(costs, size, shape)
      return [total, withFrontDoor, withBackup]
    }),
  ),
  priceFixedParts(costs, costs.parts.backupRegion),
]

describe('a service without requests', () => {
  it('costs at most 12 dollars a month', () => {
    expect(priceFixedParts(recorded, recorded.parts.default)).toBeLessThanOrEqual(12)
  })

  it('has three keys: of the table, of secrets, and of the audit log', () => {
    expect(recorded.parts.default.keys).toBe(3)
  })
})

it('the page about the deployment has the cost of the front door', () => {
  const { frontDoor, default: without } = recorded.parts
  const fixed = priceFixedParts(recorded, frontDoor) - priceFixedParts(recorded, without)
  expect(readFileSync('docs/deploy.md', 'utf8')).toContain(
    `The front door costs about ${Math.round(fixed)} USD a month, and about ${Math.round(priceFrontDoorRequests())} USD for a million`,
  )
})

describe('the price of others', () => {
  const find = (name: string): Rival => {
    const rival = rivals.find((one) => one.name === name)
    if (!rival) throw new Error(`There is no ${name}.`)
    return rival
  }

  it.each([
    ['Cognito Lite', 10_000, 0],
    ['Cognito Lite', 100_000, 495],
    ['Cognito Lite', 1_000_000, 4_635],
    ['Cognito Essentials', 50_000, 600],
    ['Cognito Plus', 1_000, 20],
    ['Clerk', 50_000, 0],
    ['Clerk', 1_000_000, 25 + 1_000 + 16_200],
    ['WorkOS', 1_000_000, 0],
    ['WorkOS', 5_000_000, 10_000],
    ['Auth0', 25_000, 0],
    ['Auth0', 50_000, undefined],
  ])('%s for %i users', (name, users, price) => {
    const found = priceRival(find(name), users)
    if (price === undefined) expect(found).toBeUndefined()
    else expect(found).toBeCloseTo(price, 6)
  })
})
