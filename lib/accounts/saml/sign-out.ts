import {
  endedSessionRetentionMs,
  samlRequestMs,
  samlSignOutMs,
  signOutRetentionMs,
} from '../../core/limits.ts'
import { createMessageId } from '../../saml/authn-request.ts'
import type { LogoutMessage } from '../../saml/logout/message.ts'
import { type LogoutSubject, readSubject } from '../../saml/logout/read.ts'
import {
  buildLogoutRequest,
  buildLogoutResponse,
  type LogoutOutcome,
  type MessageHead,
} from '../../saml/logout/write.ts'
import { buildSignedRedirect, type OutgoingMessage } from '../../saml/redirect/send.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { Services } from '../../services.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { SamlProviderRecord } from '../../store/records/saml-provider-record.ts'
import type { SamlSubject, SessionRecord } from '../../store/records/session-record.ts'
import { endSamlSessions } from '../../store/saml/end-saml-sessions.ts'
import { storeLogoutRequest } from '../../store/saml/saml-logouts.ts'
import { findSamlProvider } from '../../store/saml/saml-providers.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { openDecryptionKeys, openSigningKey } from './sp-keys.ts'

/** A session that ends here and is to end at the provider that made it. */
export interface OutgoingLogout {
  readonly saml: SamlSubject
  readonly requestId: string
  /** Goes into the transaction that ends the session. */
  readonly step: Step
}

/** How a session departs to this provider; undefined where another one made it, or none. */
export const prepareLogout = (
  { now }: Services,
  providerId: number,
  { saml, userId }: SessionRecord,
): OutgoingLogout | undefined => {
  if (saml?.providerId !== providerId) return undefined
  const requestId = createMessageId()
  const step = storeLogoutRequest(providerId, requestId, userId, now() + samlRequestMs)
  return { saml, requestId, step }
}

/**
 * Where to lead the browser to end the session at its provider as well; undefined where that can't be asked. The session
 * here has ended by now, so nothing that goes wrong may look as if it hadn't.
 */
export const buildLogoutUrl = async (
  services: Services,
  { saml, requestId }: OutgoingLogout,
): Promise<string | undefined> => {
  const provider = await findSamlProvider(services.table, saml.providerId)
  return (
    provider &&
    addressWith(services, provider, provider.sloUrl, (head) => ({
      kind: 'SAMLRequest',
      xml: buildLogoutRequest({ ...head, id: requestId }, saml),
    }))
  )
}

/** Where to lead the browser with the answer to a logout request; undefined where the provider takes none. */
export const buildLogoutResponseUrl = (
  services: Services,
  provider: SamlProviderRecord,
  { id }: LogoutMessage,
  outcome: LogoutOutcome,
  relayState: string | undefined,
): Promise<string | undefined> =>
  addressWith(services, provider, provider.sloResponseUrl || provider.sloUrl, (head) => ({
    kind: 'SAMLResponse',
    xml: buildLogoutResponse({ ...head, id: createMessageId() }, id, outcome),
    relayState,
  }))

const addressWith = async (
  services: Services,
  provider: SamlProviderRecord,
  sloUrl: string | null,
  write: (head: Omit<MessageHead, 'id'>) => OutgoingMessage,
): Promise<string | undefined> => {
  if (sloUrl === null) return undefined
  try {
    const key = await openSigningKey(services, provider)
    const serviceEntityId = getServiceUrls(services.config.publicUrl, provider.id).metadata
    if (key)
      return buildSignedRedirect(sloUrl, write({ nowMs: services.now(), serviceEntityId, sloUrl }), key)
    services.log.warn('saml_logout.no_key', { provider: provider.id })
  } catch (error) {
    services.log.error('saml_logout.not_sent', { provider: provider.id, error })
  }
  return undefined
}

/** Ends the sessions that a logout request is about, as far as there is time, and tells how that went. */
export const signOut = async (
  services: Services,
  provider: SamlProviderRecord,
  message: LogoutMessage,
  context: RequestContext,
): Promise<LogoutOutcome> => {
  try {
    const subject = await readSubject(message, () => openDecryptionKeys(services, provider))
    if (!subject) return 'not_understood'
    const { isComplete } = await endSessions(services, provider, message, subject, context)
    return isComplete ? 'success' : 'partial'
  } catch (error) {
    // The provider is to hear of it: it may ask again, and shows its user that not everything has ended.
    services.log.error('saml_logout.failed', { provider: provider.id, error })
    return 'partial'
  }
}

const endSessions = (
  { table, now }: Services,
  provider: SamlProviderRecord,
  { issuedAt }: LogoutMessage,
  subject: LogoutSubject,
  context: RequestContext,
) => {
  const startedAt = performance.now()
  return endSamlSessions(table, { ...subject, providerId: provider.id, issuedAt }, signOutRetentionMs, {
    nowMs: now(),
    memoryMs: endedSessionRetentionMs,
    along: ({ userId, id }) => [auditStep(context, 'session.ended', { user: userId, target: String(id) })],
    mayGoOn: () => performance.now() - startedAt < samlSignOutMs,
  })
}
