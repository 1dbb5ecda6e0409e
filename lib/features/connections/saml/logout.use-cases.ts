import { auditStep } from '../../../accounts/events/write-event.ts'
import { endSession } from '../../../accounts/sessions/end-sessions.records.ts'
import { buildClearedSessionCookies } from '../../../http/authenticate.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { invalidRequest } from '../../../kernel/errors/errors.ts'
import { providerClockSkewMs } from '../../../kernel/limits/connection-limits.ts'
import { logoutMessageMaxAgeMs } from '../../../kernel/limits/saml-limits.ts'
import type { Services } from '../../../services.ts'
import { buildLogoutAuditSteps } from '../../impersonation/rules.ts'
import type { connectionFlow } from '../flow.operations.ts'
import { parseStoredCertificates } from './certificates.ts'
import { type LogoutMessage, readLogoutMessage, readOutcome } from './logout/message.ts'
import { findLogoutRequest, takeLogoutRequest, takeLogoutResponse } from './logouts.records.ts'
import type { SamlConnection } from './records.ts'
import {
  RedirectError,
  readMessage,
  readSignedQuery,
  requireSignature,
  type SignedQuery,
} from './redirect/receive.ts'
import { requireProvider, type SamlContext } from './saml-context.ts'
import { getServiceUrls } from './service-provider.ts'
import { buildLogoutResponseUrl, buildLogoutUrl, prepareLogout, signOut } from './sign-out.ts'

/**
 * Ends the current session, then redirects the browser to the identity provider of the session for logout (SAML Profiles
 * 4.4.3.1). Without such a provider, the browser is redirected to the sign-in page.
 */
export const startSamlLogout: UseCase<typeof connectionFlow.startSamlLogout> = async (
  { params, principal, context },
  services,
) => {
  const outgoing = principal && prepareLogout(services, params.id, principal.session)
  if (principal)
    await endSession(services.table, principal.session, [
      ...buildLogoutAuditSteps(context, principal),
      ...(outgoing ? [outgoing.step] : []),
    ])
  const address = outgoing && (await buildLogoutUrl(services, outgoing))
  return {
    status: 303,
    headers: { location: address ?? services.config.signInUrl },
    cookies: buildClearedSessionCookies(services.config),
  }
}

/**
 * Receives a logout request, or the response to one, from the raw query (SAML Profiles 4.4.3). Only the signature proves
 * who sent it. It is verified first, together with the recipient and the age of the message.
 */
export const returnFromSamlLogout: UseCase<typeof connectionFlow.returnFromSamlLogout> = async (
  { params, target, context },
  services,
) => {
  const provider = await requireProvider(services.table, params.id)
  const { query, message } = readSignedMessage(services, provider, target.rawQuery)
  const saml = { services, provider, context }
  const address =
    query.kind === 'SAMLRequest'
      ? await handleRequest(saml, message, query.relayState)
      : await handleResponse(saml, message)
  return { status: 303, headers: { location: address ?? services.config.signInUrl } }
}

interface SignedMessage {
  readonly query: SignedQuery
  readonly message: LogoutMessage
}

/** Verifies and parses a message. @throws AppError `invalid_request` that says what is wrong with it. */
const readSignedMessage = (services: Services, provider: SamlConnection, rawQuery: string): SignedMessage => {
  const expected = {
    nowMs: services.now(),
    providerEntityId: provider.entity_id,
    address: getServiceUrls(services.config.publicUrl, provider.id).logoutReturn,
  }
  try {
    const query = readSignedQuery(rawQuery)
    requireSignature(query, parseStoredCertificates(provider.certificate))
    return { query, message: readLogoutMessage(query.kind, readMessage(query), expected) }
  } catch (error) {
    throw error instanceof RedirectError ? logRefusal(services, provider, error) : error
  }
}

/**
 * Ends the sessions that a logout request names. Each request is accepted once. Returns the URL that reports the result
 * to the identity provider (SAML Core 3.7.3.2).
 */
const handleRequest = async (
  saml: SamlContext,
  message: LogoutMessage,
  relayState: string | undefined,
): Promise<string | undefined> => {
  const { services, provider, context } = saml
  const staleAt = message.issuedAt + logoutMessageMaxAgeMs + 2 * providerClockSkewMs
  const messageId = { providerId: provider.id, id: message.id }
  const record = auditStep(context, 'saml_logout.received', { target: `saml:${provider.id}` })
  if (!(await takeLogoutRequest(services.table, messageId, staleAt, [record])))
    throw logRefusal(services, provider, new RedirectError('SAMLRequest', 'was already received'))
  const outcome = await signOut(saml, message)
  return buildLogoutResponseUrl(saml, { message, outcome, relayState })
}

/** Records the response to a logout request of this service, whose session has already ended. */
const handleResponse = async (
  { services, provider, context }: SamlContext,
  message: LogoutMessage,
): Promise<undefined> => {
  const { table, now } = services
  const { inResponseTo = '', isSuccess } = readOutcome(message)
  const request = await findLogoutRequest(table, { providerId: provider.id, id: inResponseTo })
  const record = auditStep(context, 'saml_logout.answered', {
    user: request?.userId ?? null,
    target: `saml:${provider.id}`,
    outcome: isSuccess ? 'succeeded' : 'partial',
  })
  const isOurs = request && (await takeLogoutResponse(table, request, now(), [record]))
  if (!isOurs)
    throw logRefusal(
      services,
      provider,
      new RedirectError('SAMLResponse', 'does not belong to an open logout request of this service'),
    )
}

/** Logs why a message is refused and returns the error for the caller. */
const logRefusal = ({ log }: Services, { id }: SamlConnection, { parameter, message }: RedirectError) => {
  log.warn('saml_logout.refused', { provider: id, parameter, reason: message })
  return invalidRequest([{ field: parameter, message }])
}
