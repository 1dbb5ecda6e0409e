import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Table } from '../../lib/store/engine/table.ts'
import { countEvent, getEventCount, rateKey, uncountEvent } from '../../lib/store/records/rates.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let table: Table
beforeAll(async () => {
  service = await startService()
  table = service.services.table
})
afterAll(() => service.close())

const limit = { name: 'test', max: 5, windowMs: 60_000 }
const at = 1_000_000_000_000
const counted = async (subject: string, nowMs = at) =>
  getEventCount(await table.get(rateKey(limit, subject)), limit, nowMs)

it('an event that is taken back doesn’t count, and the others do', async () => {
  for (const later of [0, 0, 25_000]) await countEvent(table, limit, 'a', at + later)
  expect(await counted('a', at + 25_000)).toBe(3)
  await uncountEvent(table, limit, 'a', at)
  expect(await counted('a', at + 25_000)).toBe(2)
  await uncountEvent(table, limit, 'a', at + 25_000)
  expect(await counted('a', at + 25_000)).toBe(1)
})

it('nothing is taken back where nothing is counted, nor from what has come in its place since', async () => {
  await uncountEvent(table, limit, 'b', at)
  expect(await table.get(rateKey(limit, 'b'))).toBeUndefined()
  await countEvent(table, limit, 'b', at)
  for (let time = 0; time < 3; time++) await uncountEvent(table, limit, 'b', at)
  await countEvent(table, limit, 'b', at)
  expect(await counted('b')).toBe(1)
  const aRoundLater = at + (7 * limit.windowMs) / 6
  await countEvent(table, limit, 'b', aRoundLater)
  await uncountEvent(table, limit, 'b', at)
  expect(await counted('b', aRoundLater)).toBe(1)
})

it('of many counted and taken back at the same moment none is lost', async () => {
  const calls = Array.from({ length: 40 }, async (_, call) => {
    await countEvent(table, limit, 'c', at)
    if (call % 2) await uncountEvent(table, limit, 'c', at)
  })
  await Promise.all(calls)
  expect(await counted('c')).toBe(20)
})
