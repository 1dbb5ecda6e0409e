import { outboxPartitions } from '../../lib/store/engine/job-keys.ts'
import type { TestService } from './service.ts'
import { waitFor } from './wait-for.ts'

/** Waits until all mail jobs are done. Jobs of the same millisecond have no order, so a later email proves nothing. */
export const awaitMails = async ({ services: { table } }: TestService): Promise<void> => {
  await waitFor(async () => {
    const jobs = await Promise.all(outboxPartitions.map((pk) => table.list(pk, '')))
    if (jobs.flat().length > 0) throw new Error('there are still mail jobs')
  })
}
