import { randomUUID } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { createConnection } from '../../lib/features/connections/records.ts'
import { findSamlConnection, samlKind } from '../../lib/features/connections/saml/records.ts'
import { connectionsRefreshedAtOnce } from '../../lib/kernel/limits/connection-limits.ts'
import { day, hour } from '../../lib/kernel/util/time.ts'
import { makeIdp } from '../support/idp.ts'
import { createLambdaContext } from '../support/lambda-context.ts'
import { addProvider } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* The refresh of all connections takes several runs if there are many, and each run continues where the last one stopped. */

const service = await useService({}, { sendsMail: false })
const { table } = service.services
const first = await addProvider(service, await makeIdp())
const count = 3 * connectionsRefreshedAtOnce + 5
const template = await findSamlConnection(table, first.id)
for (let at = 1; at < count; at++)
  if (template)
    await createConnection(
      table,
      samlKind,
      { ...template, id: 1000 + at, name: `${at}`, normalizedName: `${at}`, entity_id: randomUUID() },
      [],
    )
const { handler } = await import('../../functions/connection-refresh/index.ts')
afterEach(() => vi.useRealTimers())

/** A run that has time to take connections so many times. */
const run = async (times = Number.POSITIVE_INFINITY): Promise<number> => {
  let left = times
  const getRemainingTimeInMillis = () => (left-- > 0 ? 10 * hour : 0)
  return (await handler({}, { ...createLambdaContext(), getRemainingTimeInMillis })).providers
}
let later = 0
const waitFor = (ms: number) => {
  later += ms
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
}

it('takes each connection once a day, in as many runs as it needs', async () => {
  expect([await run(2), await run(1), await run(), await run()]).toEqual([
    ...[2 * connectionsRefreshedAtOnce, connectionsRefreshedAtOnce],
    ...[5, 0],
  ])
  waitFor(23 * hour)
  expect(await run()).toBe(0)
  vi.useRealTimers()
  waitFor(hour)
  expect(await run()).toBe(count)
})

it('finishes a round that took longer than a day before the next one', async () => {
  waitFor(day)
  expect(await run(2)).toBe(2 * connectionsRefreshedAtOnce)
  vi.useRealTimers()
  waitFor(2 * day)
  expect(await run()).toBe(count - 2 * connectionsRefreshedAtOnce)
  expect(await run()).toBe(count)
})

it('takes no connection twice in parallel runs', async () => {
  waitFor(day)
  const taken = await Promise.all(Array.from({ length: 10 }, () => run()))
  const rest = await run()
  expect([...taken, rest].reduce((sum, one) => sum + one, 0)).toBe(count)
})

it('continues after connections that ended a run', async () => {
  waitFor(day)
  let calls = 0
  const getRemainingTimeInMillis = () => {
    calls++
    if (calls === 3) throw new Error('The function was stopped.')
    return hour
  }
  await expect(handler({}, { ...createLambdaContext(), getRemainingTimeInMillis })).rejects.toThrow('stopped')
  expect(await run()).toBe(count - 2 * connectionsRefreshedAtOnce)
})
