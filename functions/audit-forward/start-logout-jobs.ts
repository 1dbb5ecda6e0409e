import { jobEvent } from '../../lib/contract/job-event.ts'
import type { Services } from '../../lib/services.ts'
import type { LogoutJobKey } from '../../lib/store/oidc/logout-jobs.ts'
import type { WriteToBus } from '../../lib/util/bus-writer.ts'

/**
 * Starts the function that informs OpenID Connect clients of ended sessions. A failure is only logged, because a schedule
 * starts the function as well, and audit events must not wait.
 */
export const startLogoutJobs = async (
  { log }: Services,
  writeToBus: WriteToBus,
  keys: readonly LogoutJobKey[],
): Promise<void> => {
  if (keys.length === 0) return
  const entry = {
    source: jobEvent.source,
    detailType: jobEvent.logoutJobs,
    detail: JSON.stringify({ keys }),
  }
  const refusal = await writeToBus([entry]).catch((error: unknown) => ({ error }))
  if (refusal) log.error('oidc.logout_jobs_not_started', { error: refusal.error })
}
