import type { Services } from '../../lib/services.ts'
import { findOidcClient } from '../../lib/store/oidc/clients.ts'
import type { LogoutJobRecord } from '../../lib/store/records/logout-job-record.ts'
import type { SessionClient } from '../../lib/store/records/session-client.ts'
import { signLogoutToken } from '../../lib/tokens/logout-token.ts'
import { buildSessionId } from '../../lib/tokens/session-id.ts'
import type { ClientPauses } from './client-pauses.ts'
import { type DeliveryFailure, sendLogoutToken } from './send-logout-token.ts'

/** What one call of the function works with. */
export interface LogoutRun {
  readonly services: Services
  readonly pauses: ClientPauses
  /** The ID of the call, for audit events. */
  readonly requestId: string
}

/** A client, and why it was not informed, if so. */
export type Delivery = SessionClient & { readonly failure?: DeliveryFailure | undefined }

/** The session that ended, and its user. */
export type EndedSession = Pick<LogoutJobRecord, 'userId' | 'switches'> & { readonly sessionHash: string }

/** Informs a client that a session ended. A client that was deleted, or has no address for this, needs nothing. */
export const informClient = async (
  { services, pauses, requestId }: LogoutRun,
  { clientId, subject }: SessionClient,
  { userId, sessionHash, switches }: EndedSession,
): Promise<Delivery> => {
  const { table, config, log, now } = services
  const client = await findOidcClient(table, clientId)
  if (!client?.backchannelLogoutUri) return { clientId, subject }
  if (pauses.isPaused(clientId, now())) return { clientId, subject, failure: 'paused' }
  const impersonated = subject === userId ? undefined : subject
  const sid = buildSessionId({ hash: sessionHash, switches, impersonated })
  const token = await signLogoutToken(services, { clientId, subject, sid })
  // The service itself uses http only in local mode. Clients on the same machine may as well.
  const rules = { allowsLoopback: config.publicUrl.startsWith('http:') }
  const failure = await sendLogoutToken(client.backchannelLogoutUri, token, rules)
  pauses.note(clientId, failure === undefined, now())
  if (failure)
    log.warn('oidc.logout_not_delivered', {
      request_id: requestId,
      client: clientId,
      user: subject,
      reason: failure,
    })
  return { clientId, subject, failure }
}
