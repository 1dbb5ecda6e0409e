import { logoutRetryMs } from '../../lib/limits/limits.ts'
import { readClientId } from '../../lib/store/oidc/client-id.ts'
import { buildLogoutJobDeletion, postponeLogoutJob, takeLogoutJob } from '../../lib/store/oidc/logout-jobs.ts'
import { buildAuditStep } from '../../lib/store/records/audit.ts'
import type { LogoutJobKey } from '../../lib/store/records/logout-job-record.ts'
import { parseSessionClient } from '../../lib/store/records/session-client.ts'
import { type Delivery, informClient, type LogoutRun } from './inform-client.ts'
import { queueEndedSessions } from './queue-ended-sessions.ts'

/**
 * Works on a job, if it is due: informs the clients of a session, or adds jobs for the ended sessions of a user. Clients
 * that were not informed are tried again later, until `logoutRetryMs.total` after the first attempt. Returns whether it was due.
 */
export const processJob = async (run: LogoutRun, key: LogoutJobKey): Promise<boolean> => {
  const { services, requestId } = run
  const { table, now } = services
  const job = await takeLogoutJob(table, key, now())
  if (!job) return false
  const { userId, sessionHash, switches = 0, clients = new Set() } = job
  if (sessionHash === undefined) {
    await queueEndedSessions(services, userId)
    await table.transact([buildLogoutJobDeletion(job)])
    return true
  }
  const texts = [...clients]
  const deliveries = await Promise.all(
    texts.map((text) => informClient(run, parseSessionClient(text), { userId, sessionHash, switches })),
  )
  const failed = deliveries.filter(({ failure }) => failure !== undefined)
  const endsAt = job.firstTriedAt + logoutRetryMs.total
  if (failed.length > 0 && now() < endsAt) {
    const informed = texts.filter((_, at) => deliveries[at]?.failure === undefined)
    await postponeLogoutJob(table, job, { informed, nextTryAt: now() + getWait(job.tries) })
    return true
  }
  const auditSteps = failed.map((delivery) => buildFailureStep(delivery, { requestId, at: now() }))
  await table.transact([buildLogoutJobDeletion(job), ...auditSteps])
  return true
}

/** How long a job waits after an attempt, counted from 1. */
const getWait = (tries: number): number =>
  Math.min(logoutRetryMs.first * 2 ** (tries - 1), logoutRetryMs.longest)

/** The event of a client that was not informed at all. */
const buildFailureStep = (
  { clientId, subject, failure = 'paused' }: Delivery,
  { requestId, at }: { readonly requestId: string; readonly at: number },
) =>
  buildAuditStep({
    at,
    event: 'oidc_client.logout_failed',
    user: subject,
    actor: null,
    address: 'schedule',
    requestId,
    target: String(readClientId(clientId) ?? ''),
    outcome: failure,
  })
