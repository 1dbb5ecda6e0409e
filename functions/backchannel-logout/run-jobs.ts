import { readDueLogoutJobs } from '../../lib/store/oidc/logout-jobs.ts'
import type { LogoutJobKey } from '../../lib/store/records/logout-job-record.ts'
import { mapInBatches } from '../../lib/util/map-in-batches.ts'
import type { LogoutRun } from './inform-client.ts'
import { processJob } from './process-job.ts'

/** Jobs at the same time. A client that does not answer delays this many until it is paused. */
const jobsAtOnce = 25

/**
 * Works on jobs, until the function has little time left. A job that fails stays for the next run. Returns the number of
 * jobs that it worked on.
 */
export const runJobs = async (
  run: LogoutRun,
  keys: readonly LogoutJobKey[],
  hasTime: () => boolean,
): Promise<number> => {
  const wereDue = await mapInBatches(keys, jobsAtOnce, async (key) => {
    if (!hasTime()) return false
    return processJob(run, key).catch((error: unknown) => {
      run.services.log.error('oidc.logout_job_failed', { request_id: run.requestId, error })
      return false
    })
  })
  return wereDue.filter((wasDue) => wasDue).length
}

/** Works on all jobs whose time has come. Returns their number. */
export const runDueJobs = async (run: LogoutRun, hasTime: () => boolean): Promise<number> => {
  const { table, now } = run.services
  let jobs = 0
  for await (const keys of readDueLogoutJobs(table, now())) {
    if (!hasTime()) break
    jobs += await runJobs(run, keys, hasTime)
  }
  return jobs
}
