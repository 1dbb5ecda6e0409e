import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { type Examples, listExamples, startExamples } from '../support/example-requests.ts'
import { readItems } from '../support/table-copies.ts'

/*
 * Every record of the table has a secret that no model declares. An attacker reads the answers of all operations, and finds it
 * nowhere.
 */

let live: Examples
beforeAll(async () => {
  live = await startExamples()
  // The secrets are there before each request, so that only what the request changes is written anew.
  await plant()
  await live.keepState()
})
afterAll(() => live.close())

const secret = 'hunter2-only-stored'

/** Maps whose names are data, such as addresses: each of their values has a meaning. */
const dictionaries = new Set(['knownAddresses', 'knownDevices', 'deviceCookies', 'recentUses'])

/** Adds the secret to a value and to all that it consists of, such as the policy of a record and the rules of the policy. */
const addSecret = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(addSecret)
  if (!isMap(value)) return value
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    dictionaries.has(name) ? part : addSecret(part),
  ])
  return { ...Object.fromEntries(parts), planted_secret: secret }
}

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Adds the secret to each item of the table. */
const plant = async (): Promise<void> => {
  const { services, tableName } = live.service
  const items = await readItems(tableName)
  expect(items.length).toBeGreaterThan(0)
  const planted = items.map((item) => addSecret(item) as Item)
  const steps = planted
    .filter((item, index) => !isDeepStrictEqual(item, items[index]))
    .map((item) => ({ put: item }))
  for (let from = 0; from < steps.length; from += 100)
    await services.table.transact(steps.slice(from, from + 100))
}

/** What the function of the pages answers with an `ETag` was built before there was a table. */
const isFileOfBuild = ({ group, responses }: Operation): boolean => group === 'pages' && 304 in responses

it.each(operations.filter((op) => !isFileOfBuild(op)).map((op) => [op.id, op] as const))(
  'no answer has what is only stored: %s',
  async (_, op) => {
    for (const { value } of listExamples(op)) {
      const request = await live.prepare(op, value)
      await plant()
      const answer = await live.send(request)
      expect(Object.keys(op.responses).map(Number), answer.text).toContain(answer.status)
      expect(answer.text).not.toContain(secret)
      expect(JSON.stringify([...answer.headers])).not.toContain(secret)
    }
  },
)
