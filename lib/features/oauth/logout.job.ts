import type { Context } from 'aws-lambda'
import type { Services } from '../../services.ts'
import type { LogoutJobKey } from './logout-jobs.records.ts'
import { createClientPauses, runDueJobs, runJobs } from './run-logout-jobs.ts'

/** A client may take this long to answer after the last job was started. */
const reservedMs = 10_000

/** Names new jobs. Without them, all jobs are looked up whose time has come. */
interface LogoutEvent {
  readonly detail?: { readonly keys?: readonly LogoutJobKey[] }
}

/**
 * Informs OpenID Connect clients of ended sessions. New jobs start it at once, and a schedule starts it every minute for
 * jobs that failed. Returns the number of jobs that were due.
 */
export const createLogoutJob = (services: Services) => {
  const pauses = createClientPauses()
  return async (
    { detail }: LogoutEvent,
    { awsRequestId, getRemainingTimeInMillis }: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
  ): Promise<{ readonly jobs: number }> => {
    const run = { services, pauses, requestId: awsRequestId }
    const hasTime = () => getRemainingTimeInMillis() > reservedMs
    return { jobs: await (detail?.keys ? runJobs(run, detail.keys, hasTime) : runDueJobs(run, hasTime)) }
  }
}
