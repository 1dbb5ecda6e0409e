import { describe, expect, it } from 'vitest'
import { organizationRightsCopies } from '../../lib/kernel/table/keys/organization-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import {
  type MixedOperation,
  prepareMixedOperations,
  prepareOrganizationOperations,
} from '../support/mixed-operations.ts'
import { useService } from '../support/use-service.ts'
import { waitFor } from '../support/wait-for.ts'
import { countReads, countWrites, type PartitionCount } from '../support/write-counts.ts'

/*
 * DynamoDB limits the writes of each partition key to about 1,000 units in a second, and its reads to 3,000. A key with a fixed share
 * of all writes or reads limits the whole service. Here 500 users do 1,000 things.
 */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const mixed = await prepareMixedOperations(service)
const inOrganizations = await prepareOrganizationOperations(service)
const doAll = async (all: readonly (readonly MixedOperation[])[]): Promise<void> => {
  const lists = [...all]
  const work = async () => {
    for (let list = lists.shift(); list; list = lists.shift()) for (const operation of list) await operation()
  }
  await Promise.all(Array.from({ length: 12 }, work))
}
const recordedReads = countReads()
await doAll(inOrganizations)
const readCounts = recordedReads.take()
recordedReads.stop()
const recorded = countWrites()
recorded.take()
await doAll(mixed)
await waitFor(() => expect(service.mailbox.mails.length).toBeGreaterThanOrEqual(60))
const counts: readonly PartitionCount[] = recorded.take()
recorded.stop()

const sum = (some: readonly PartitionCount[]): number => some.reduce((total, { writes }) => total + writes, 0)

describe('the writes of 1,000 mixed operations', () => {
  it('are spread, so that no partition key takes more than 2 % of them', () => {
    expect(mixed.flat()).toHaveLength(1000)
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

describe('the reads of 1,000 requests that name an organization', () => {
  const total = readCounts.reduce((sum, { reads }) => sum + reads, 0)

  it('are spread, so that no partition key takes more than 2 % of them', () => {
    expect(inOrganizations.flat()).toHaveLength(1000)
    expect(total).toBeGreaterThan(4000)
    const hot = readCounts.filter(({ reads }) => reads > 0.02 * total)
    expect(hot, `of ${total} reads`).toEqual([])
  })

  it('are of what belongs to people and organizations, and of copies that are read evenly', () => {
    const shared = readCounts.filter(
      ({ partition }) =>
        !(partition.startsWith(partitions.user) || partition.startsWith(partitions.organization)),
    )
    expect(shared.map(({ partition }) => partition).sort()).toEqual(
      Array.from(
        { length: organizationRightsCopies },
        (_, copy) => `${partitions.organizationRights}${copy}`,
      ).sort(),
    )
    const average = shared.reduce((sum, { reads }) => sum + reads, 0) / shared.length
    expect(average).toBeGreaterThan(50)
    for (const { reads } of shared) expect(reads).toBeLessThan(2 * average)
  })
})
