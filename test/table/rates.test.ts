import { expect, it } from 'vitest'
import { countEvent, getEventCount, getStreak, rateKey, refundEvent } from '../../lib/kernel/rates/rates.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const table: Table = service.services.table

const limit = { name: 'test', max: 5, windowMs: 60_000 }
const at = 1_000_000_000_000
const getCount = async (subject: string, nowMs = at) =>
  getEventCount(await table.get(rateKey(limit, subject)), limit, nowMs)

it('does not count an event that was refunded', async () => {
  for (const later of [0, 0, 25_000]) await countEvent(table, limit, 'a', at + later)
  expect(await getCount('a', at + 25_000)).toBe(3)
  await refundEvent(table, limit, 'a', at)
  expect(await getCount('a', at + 25_000)).toBe(2)
  await refundEvent(table, limit, 'a', at + 25_000)
  expect(await getCount('a', at + 25_000)).toBe(1)
})

it('refunds nothing that was not counted, and nothing of a later slice at the same position', async () => {
  await refundEvent(table, limit, 'b', at)
  expect(await table.get(rateKey(limit, 'b'))).toBeUndefined()
  await countEvent(table, limit, 'b', at)
  for (let time = 0; time < 3; time++) await refundEvent(table, limit, 'b', at)
  await countEvent(table, limit, 'b', at)
  expect(await getCount('b')).toBe(1)
  const oneRingLater = at + (7 * limit.windowMs) / 6
  await countEvent(table, limit, 'b', oneRingLater)
  await refundEvent(table, limit, 'b', at)
  expect(await getCount('b', oneRingLater)).toBe(1)
})

it('counts correctly if many events are counted and refunded concurrently', async () => {
  const calls = Array.from({ length: 40 }, async (_, call) => {
    await countEvent(table, limit, 'c', at)
    if (call % 2) await refundEvent(table, limit, 'c', at)
  })
  await Promise.all(calls)
  expect(await getCount('c')).toBe(20)
})

it('counts what a parallel request of the next slice counted', async () => {
  const sliceMs = limit.windowMs / 6
  const endOfSlice = Math.ceil(at / sliceMs) * sliceMs
  await countEvent(table, limit, 'd', endOfSlice - 1)
  await countEvent(table, limit, 'd', endOfSlice)
  const item = await countEvent(table, limit, 'd', endOfSlice - 1)
  expect(getEventCount(item, limit, endOfSlice - 1)).toBe(3)
})

it('counts a streak beyond the window until it ends, and stores none for other limits', async () => {
  const day = 24 * 60 * 60_000
  const count = (nowMs: number) => countEvent(table, limit, 'd', nowMs, 100 * day)
  for (let time = 0; time < 6; time++) expect(getStreak(await count(at + time * day))).toBe(time + 1)
  await refundEvent(table, limit, 'd', at + 5 * day, 'refund')
  const item = await table.get(rateKey(limit, 'd'))
  expect(getStreak(item)).toBe(5)
  expect(item?.['expires_at']).toBe((at + 105 * day) / 1000)
  // The slice of the event is over.
  await count(at + 6 * day)
  await refundEvent(table, limit, 'd', at + 5 * day, 'end')
  expect(getStreak(await table.get(rateKey(limit, 'd')))).toBe(0)
  expect(getStreak(await count(at + 6 * day))).toBe(1)
  await refundEvent(table, limit, 'd', at + 6 * day, 'end')
  expect(getStreak(await table.get(rateKey(limit, 'd')))).toBe(0)
  expect(getStreak(await countEvent(table, limit, 'e', at))).toBe(0)
  await refundEvent(table, limit, 'f', at, 'end')
  expect(await table.get(rateKey(limit, 'f'))).toBeUndefined()
})
