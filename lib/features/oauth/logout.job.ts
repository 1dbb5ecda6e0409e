import type { Context } from 'aws-lambda'
import { buildScheduleContext } from '../../accounts/callers/request-context.ts'
import type { LogoutJobKey } from '../../accounts/sessions/logout-jobs.records.ts'
import type { Services } from '../../services.ts'
import { createClientPauses, runDueJobs, runJobs } from './run-logout-jobs.ts'

/** A client may take this long to answer after the last job was started. */
const reservedMs = 10_000

/** Names new jobs. Without them, all jobs are looked up whose time has come. */
interface LogoutEvent {
  readonly detail?: { readonly keys?: readonly LogoutJobKey[] }
}

/**
 * Informs OpenID Connect clients of ended sessions. New jobs start it at once, and a schedule starts it every minute for
 * jobs that failed, and for the review of sessions after a change of the rules of the sign-in. Returns the number of jobs that were due.
 */
export const createLogoutJob = (services: Services) => {
  const pauses = createClientPauses()
  return async (
    { detail }: LogoutEvent,
    { awsRequestId, getRemainingTimeInMillis }: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
  ): Promise<{ readonly jobs: number }> => {
    const run = { services, pauses, requestId: awsRequestId }
    const hasTime = () => getRemainingTimeInMillis() > reservedMs
    if (detail?.keys) return { jobs: await runJobs(run, detail.keys, hasTime) }
    const jobs = await runDueJobs(run, hasTime)
    await review(services, awsRequestId, hasTime)
    return { jobs }
  }
}

/** Clients must be informed whatever happens here. The next minute tries again. */
const review = async (services: Services, requestId: string, hasTime: () => boolean): Promise<void> => {
  try {
    const context = buildScheduleContext(services.now(), requestId)
    const { reviewSessions } = await import('../sign-in/session-review.job.ts')
    await reviewSessions(services, context, hasTime)
  } catch (error) {
    services.log.error('session_review.failed', { request_id: requestId, error })
  }
}
