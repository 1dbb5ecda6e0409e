import { mapInBatches } from '../../lib/core/map-in-batches.ts'
import { readDueLogoutJobs } from '../../lib/store/oidc/logout-jobs.ts'
import type { LogoutJobKey } from '../../lib/store/records/logout-job-record.ts'
import type { LogoutRun } from './inform-client.ts'
import { processJob } from './process-job.ts'

/** Jobs at the same time. A client that does not answer delays this many until it is paused. */
const jobsAtOnce = 25

/** Works on jobs, until the function has little time left. A job that fails stays for the next run. */
export const runJobs = async (
  run: LogoutRun,
  keys: readonly LogoutJobKey[],
  hasTime: () => boolean,
): Promise<void> => {
  await mapInBatches(keys, jobsAtOnce, async (key) => {
    if (!hasTime()) return
    await processJob(run, key).catch((error: unknown) =>
      run.services.log.error('oidc.logout_job_failed', { request_id: run.requestId, error }),
    )
  })
}

/** Works on all jobs whose time has come. */
export const runDueJobs = async (run: LogoutRun, hasTime: () => boolean): Promise<void> => {
  const { table, now } = run.services
  for await (const keys of readDueLogoutJobs(table, now())) {
    if (!hasTime()) return
    await runJobs(run, keys, hasTime)
  }
}
