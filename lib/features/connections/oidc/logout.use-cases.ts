import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { consume } from '../../../accounts/callers/throttle.ts'
import { auditStep, writeAudit } from '../../../accounts/events/write-event.ts'
import { nameProviderSession } from '../../../accounts/sessions/session-index.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { AppError, requireFound } from '../../../kernel/errors/errors.ts'
import {
  providerClockSkewMs,
  providerLogoutMaxAgeMs,
  providerSignOutMs,
  signOutRetentionMs,
} from '../../../kernel/limits/connection-limits.ts'
import { getNetwork } from '../../../kernel/util/network.ts'
import type { Services } from '../../../services.ts'
import type { OAuthError } from '../../oauth/flow.models.ts'
import { getConnectionTarget } from '../connection-context.ts'
import { endNamedSessions, type ProviderSignOut } from '../end-sessions.records.ts'
import type { connectionFlow } from '../flow.operations.ts'
import { findConnectionOf } from '../records.ts'
import { noteLogoutToken } from './logout-tokens.records.ts'
import { oidcKind } from './records.ts'

/**
 * Ends the sessions that an identity provider names in a logout token. A repeated token does the same again, so that a lost
 * answer loses nothing. Sessions that are newer than the token stay, and so do those that began after it first arrived.
 */
export const receiveUpstreamLogout: UseCase<typeof connectionFlow.receiveUpstreamLogout> = async (
  { params, body, context },
  services,
) => {
  const { table, now } = services
  const connection = requireFound(await findConnectionOf(table, oidcKind, params.id), 'connection')
  // Each token can cost a fetch and a signature.
  await consume(services, 'upstreamLogouts', getNetwork(context.address))
  // Loaded on demand, because a sign-in with SAML needs none of it.
  const { readLogoutToken } = await import('./logout-token.ts')
  const logout = await readLogoutToken(services, connection, body.logout_token)
  if (!logout) {
    services.log.warn('oidc_connection.logout_refused', { connection: connection.id })
    return refusal
  }
  const { sub, sid, jti, issuedAt } = logout
  const untilMs = issuedAt + providerLogoutMaxAgeMs + 2 * providerClockSkewMs
  const receivedAt = await noteLogoutToken(table, {
    ...{ connectionId: connection.id, jti, nowMs: now(), untilMs },
  })
  // The clock of the provider may be behind.
  const latest = Math.min(issuedAt + providerClockSkewMs, receivedAt)
  await writeAudit(services, context, 'saml_logout.received', { target: getConnectionTarget(connection) })
  await endSessionsUntil(services, context, {
    providerId: connection.id,
    nameId: sub ?? nameProviderSession(sid ?? ''),
    sessionIndexes: sub !== undefined && sid !== undefined ? [sid] : [],
    ...{ issuedAt, latest },
  })
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: {} }
}

interface EndedSessions extends Omit<ProviderSignOut, 'nameIdFormat'> {
  /** The last moment at which an ended session began, in epoch milliseconds. */
  readonly latest: number
}

/**
 * Ends the sessions of a name at a provider.
 *
 * @throws AppError `temporarily_unavailable` if some remain. The provider then sends its message again
 */
export const endSessionsUntil = async (
  { table, now }: Services,
  context: RequestContext,
  { latest, ...signOut }: EndedSessions,
): Promise<void> => {
  const startedAt = performance.now()
  const { isComplete } = await endNamedSessions(
    table,
    { ...signOut, nameIdFormat: null },
    signOutRetentionMs,
    {
      nowMs: now(),
      extraSteps: ({ userId, id }) => [
        auditStep(context, 'session.ended', { user: userId, target: String(id) }),
      ],
      mayContinue: () => performance.now() - startedAt < providerSignOutMs,
      mayEnd: ({ createdAt }) => createdAt <= latest,
    },
  )
  if (!isComplete) throw new AppError('temporarily_unavailable')
}

/** OpenID Connect Back-Channel Logout 2.8. */
const refusal = {
  status: 400 as const,
  headers: { 'cache-control': 'no-store' },
  body: {
    error: 'invalid_request',
    error_description: 'The logout token is not valid for this connection.',
  } satisfies OAuthError,
}
