import { vi } from 'vitest'
import { outboxPartitions } from '../../lib/store/engine/job-keys.ts'
import type { TestService } from './service.ts'

/** Waits until all mail jobs are done. Jobs of the same millisecond have no order, so a later email proves nothing. */
export const awaitMails = async ({ services: { table } }: TestService): Promise<void> => {
  await vi.waitFor(async () => {
    const jobs = await Promise.all(outboxPartitions.map((pk) => table.list(pk, '')))
    if (jobs.flat().length > 0) throw new Error('there are still mail jobs')
  }, 10_000)
}
