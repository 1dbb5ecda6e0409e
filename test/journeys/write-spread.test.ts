import { afterAll, describe, expect, it } from 'vitest'
import { prepareMixedOperations } from '../support/mixed-operations.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'
import { countWrites, type PartitionCount } from '../support/write-counts.ts'

/*
 * DynamoDB limits the writes of each partition key to about 1,000 units in a second. A key with a fixed share of all
 * writes limits the whole service. Here 500 users do 1,000 things.
 */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const lists = [...(await prepareMixedOperations(service))]
const operations: number = lists.flat().length
const recorded = countWrites()
recorded.take()
const work = async () => {
  for (let list = lists.shift(); list; list = lists.shift()) for (const operation of list) await operation()
}
await Promise.all(Array.from({ length: 12 }, work))
await waitFor(() => expect(service.mailbox.mails.length).toBeGreaterThanOrEqual(60))
const counts: readonly PartitionCount[] = recorded.take()
afterAll(() => recorded.stop())

const sum = (some: readonly PartitionCount[]): number => some.reduce((total, { writes }) => total + writes, 0)

describe('the writes of 1,000 mixed operations', () => {
  it('are spread, so that no partition key takes more than 2 % of them', () => {
    expect(operations).toBe(1000)
    const total = sum(counts)
    const topTen = counts
      .slice(0, 10)
      .map(({ partition, writes }) => `${partition}: ${writes} (${((100 * writes) / total).toFixed(1)} %)`)
    const hot = counts.filter(({ writes }) => writes > 0.02 * total)
    expect(hot, `of ${total} writes\n${topTen.join('\n')}`).toEqual([])
  })

  it('spread audit events evenly over at least 8 partitions', () => {
    const audit = counts.filter(({ partition }) => /^audit#\d{4}-\d\d/.test(partition))
    expect(sum(audit)).toBeGreaterThan(300)
    expect(audit.length).toBeGreaterThanOrEqual(8)
    const average = sum(audit) / audit.length
    for (const { writes } of audit) expect(writes).toBeLessThan(3 * average)
  })
})
