import { expect, it } from 'vitest'
import {
  holdingRecords,
  holdings,
  otherPartitions,
} from '../../lib/features/leaked-credentials/holdings.records.ts'
import { operations } from '../../lib/features/operations.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'

const named = Object.values(holdingRecords).flatMap(({ places }) => places.map(({ partition }) => partition))

it('names each partition once: with the records that people hold, or without any', () => {
  expect([...new Set(named), ...otherPartitions].sort()).toEqual(Object.keys(partitions).sort())
})

it('has only records that a holding is in', () => {
  const used = new Set(Object.values(holdings).map(({ record }) => record))
  expect(Object.keys(holdingRecords).filter((record) => !used.has(record as never))).toEqual([])
})

it.each(Object.entries(holdings))('names the operation that shows %s', (_, { shownBy }) => {
  const ids = Object.values(operations).map(({ id }) => id)
  if (shownBy !== null) expect(ids).toContain(shownBy)
})
