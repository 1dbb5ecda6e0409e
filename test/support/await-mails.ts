import { outboxPartitions } from '../../lib/kernel/table/keys/job-keys.ts'
import type { TestService } from './service.ts'
import { waitFor } from './wait-for.ts'

/** Waits until all mail jobs are done. Jobs of the same millisecond have no order, so a later email proves nothing. */
export const awaitMails = async ({ services: { table } }: TestService): Promise<void> => {
  await waitFor(async () => {
    const jobs = await Promise.all(outboxPartitions.map((pk) => table.list(pk, '')))
    // A test can move the clock past the end of a job. Nothing delivers it then.
    const waiting = jobs.flat().filter((job) => Number(job['expires_at']) * 1000 > Date.now())
    if (waiting.length > 0) throw new Error('there are still mail jobs')
  })
}
