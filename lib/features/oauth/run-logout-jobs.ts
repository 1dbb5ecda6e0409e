import { buildAuditStep } from '../../accounts/events/records.ts'
import { readSessionPages } from '../../accounts/sessions/find-sessions.records.ts'
import {
  buildLogoutJobDeletion,
  type LogoutJobKey,
  type LogoutJobRecord,
  postponeLogoutJob,
  readDueLogoutJobs,
  replaceByLogoutJob,
  type TakenLogoutJob,
  type TokenRevocation,
  takeLogoutJob,
} from '../../accounts/sessions/logout-jobs.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import {
  logoutAnswerMs,
  logoutFailuresBeforePause,
  logoutPauseMs,
  logoutRetryMs,
} from '../../kernel/limits/limits.ts'
import { isWithin } from '../../kernel/util/time.ts'
import { mapInBatches } from '../../kernel/util/work.ts'
import type { Services } from '../../services.ts'
import { FetchError, type FetchFailure } from '../connections/fetch-error.ts'
import { type FetchRules, sendSafely } from '../connections/ssrf-safe-request.ts'
import { findClient, isDocumentAddress, readClientId } from './clients.records.ts'
import { parseSessionClient, type SessionClient } from './session-clients.records.ts'
import { buildSessionId } from './tokens/claims.ts'
import { signLogoutToken } from './tokens/sign-tokens.ts'

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

/**
 * Works on a job, if it is due: informs the clients of a session, or adds jobs for the ended sessions of a user. Clients
 * that were not informed are tried again later, until `logoutRetryMs.total` after the first attempt. Returns whether it was due.
 */
const processJob = async (run: LogoutRun, key: LogoutJobKey): Promise<boolean> => {
  const { services, requestId } = run
  const { table, now } = services
  const job = await takeLogoutJob(table, key, now())
  if (!job) return false
  if (job.revocation) {
    await processRevocation(run, job, job.revocation)
    return true
  }
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

/** Revokes a token at its provider. Apple may be down, or the key of the connection may be wrong for a while. */
const processRevocation = async (
  { services, requestId }: LogoutRun,
  job: TakenLogoutJob,
  revocation: TokenRevocation,
): Promise<void> => {
  const { table, now, log } = services
  // Loaded on demand, because most services have no such provider.
  const { revokeRefreshToken } = await import('../connections/oidc/refresh-tokens.ts')
  const failure = await revokeRefreshToken(services, revocation)
  if (!failure) {
    await table.transact([buildLogoutJobDeletion(job)])
    return
  }
  const { reason, isFinal } = failure
  const isRepeated = !isFinal && now() < job.firstTriedAt + logoutRetryMs.total
  log[isRepeated ? 'warn' : 'error']('oidc_connection.token_not_revoked', {
    ...{ request_id: requestId, connection: revocation.providerId, user: job.userId, reason },
  })
  if (isRepeated) await postponeLogoutJob(table, job, { informed: [], nextTryAt: now() + getWait(job.tries) })
  else
    await table.transact([
      buildLogoutJobDeletion(job),
      buildAuditStep({
        at: now(),
        event: 'oidc_connection.token_not_revoked',
        user: job.userId,
        actor: null,
        address: 'schedule',
        requestId,
        target: `oidc:${revocation.providerId}`,
        outcome: reason,
      }),
    ])
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
    target: String(readClientId(clientId) ?? clientId),
    outcome: failure,
  })

/** Written at the same time. All of them are in the partition of one user. */
const sessionsAtOnce = 10

/**
 * Replaces the ended sessions of a user that have clients by jobs to inform the clients. A new epoch of the user, or their
 * deletion, ended these sessions. Another run continues if this one stops.
 */
const queueEndedSessions = async ({ table }: Services, userId: number): Promise<void> => {
  const user = await findUser(table, userId)
  const epoch = user?.credentialEpoch ?? Number.POSITIVE_INFINITY
  for await (const sessions of readSessionPages(table, userId)) {
    const ended = sessions.filter(({ credentialEpoch, clients }) => clients && credentialEpoch < epoch)
    await mapInBatches(ended, sessionsAtOnce, (session) => replaceByLogoutJob(table, session))
  }
}

/** What one call of the function works with. */
interface LogoutRun {
  readonly services: Services
  readonly pauses: ClientPauses
  /** The ID of the call, for audit events. */
  readonly requestId: string
}

/** A client, and why it was not informed, if so. */
type Delivery = SessionClient & { readonly failure?: DeliveryFailure | undefined }

/** The session that ended, and its user. */
type EndedSession = Pick<LogoutJobRecord, 'userId' | 'switches'> & { readonly sessionHash: string }

/** Informs a client that a session ended. A client that was deleted, or has no address for this, needs nothing. */
const informClient = async (
  { services, pauses, requestId }: LogoutRun,
  { clientId, subject }: SessionClient,
  { userId, sessionHash, switches }: EndedSession,
): Promise<Delivery> => {
  const { table, config, log, now } = services
  // Clients that describe themselves have no address for this.
  if (isDocumentAddress(clientId)) return { clientId, subject }
  const client = await findClient(table, clientId)
  if (!client?.backchannel_logout_uri) return { clientId, subject }
  if (pauses.isPaused(clientId, now())) return { clientId, subject, failure: 'paused' }
  const impersonated = subject === userId ? undefined : subject
  const sid = buildSessionId({ hash: sessionHash, switches, impersonated })
  // The user may be deleted by now, so that their ID in another system is not known.
  const named = client.subject_source ? undefined : subject
  const token = await signLogoutToken(services, { clientId, subject: named, sid })
  // The service itself uses http only in local mode. Clients on the same machine may as well.
  const rules = { allowsLoopback: config.publicUrl.startsWith('http:') }
  const failure = await sendLogoutToken(client.backchannel_logout_uri, token, rules)
  pauses.note(clientId, { wasInformed: failure === undefined, nowMs: now() })
  if (failure)
    log.warn('oidc.logout_not_delivered', {
      request_id: requestId,
      client: clientId,
      user: subject,
      reason: failure,
    })
  return { clientId, subject, failure }
}

/** Why a client was not informed. */
type DeliveryFailure = FetchFailure | 'invalid_address' | 'paused'

/**
 * Sends a logout token to the address of a client (OpenID Connect Back-Channel Logout 1.0, section 2.5). Only the status
 * of the answer counts, and nothing else of it is read. Returns why it failed, or undefined.
 */
export const sendLogoutToken = async (
  address: string,
  logoutToken: string,
  rules: FetchRules,
): Promise<DeliveryFailure | undefined> => {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && !rules.allowsLoopback)) return 'invalid_address'
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: '*/*' },
    body: new URLSearchParams({ logout_token: logoutToken }).toString(),
    timeoutMs: logoutAnswerMs,
  } as const
  try {
    return await sendSafely(url, request, rules, ({ statusCode = 0 }) => judgeStatus(statusCode))
  } catch (error) {
    if (error instanceof FetchError) return error.reason
    throw error
  }
}

/** Some frameworks answer 204 instead of 200 (section 2.8). */
const judgeStatus = (status: number): DeliveryFailure | undefined => {
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

/** Remembers which clients do not answer, so that thousands of ended sessions do not wait for one of them. */
interface ClientPauses {
  readonly isPaused: (clientId: string, nowMs: number) => boolean
  /** Notes the result of a delivery. */
  readonly note: (clientId: string, result: { readonly wasInformed: boolean; readonly nowMs: number }) => void
}

/** Creates the memory of one function. It only saves time: each job waits for its next attempt in any case. */
export const createClientPauses = (): ClientPauses => {
  const failing = new Map<string, { readonly failures: number; readonly at: number }>()
  return {
    isPaused: (clientId, nowMs) => {
      const { failures, at } = failing.get(clientId) ?? { failures: 0, at: 0 }
      return failures >= logoutFailuresBeforePause && isWithin(at, nowMs, logoutPauseMs)
    },
    note: (clientId, { wasInformed, nowMs }) => {
      const { failures } = failing.get(clientId) ?? { failures: 0 }
      if (wasInformed) failing.delete(clientId)
      else failing.set(clientId, { failures: failures + 1, at: nowMs })
    },
  }
}
