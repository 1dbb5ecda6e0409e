import { auditStep } from '../../../accounts/events/write-event.ts'
import type { ProviderSubject, SessionRecord } from '../../../accounts/sessions/stored-session.records.ts'
import {
  providerSignOutMs,
  signInRequestMs,
  signOutRetentionMs,
} from '../../../kernel/limits/connection-limits.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import { endNamedSessions } from '../end-sessions.records.ts'
import { createMessageId } from './authn-request.ts'
import type { LogoutMessage } from './logout/message.ts'
import { type LogoutSubject, readSubject, statuses } from './logout/message.ts'
import { buildLogoutRequestStep } from './logouts.records.ts'
import { findSamlConnection } from './records.ts'
import { buildSignedRedirect, type OutgoingMessage } from './redirect/send.ts'
import type { SamlContext } from './saml-context.ts'
import { getServiceUrls } from './service-provider.ts'
import { loadDecryptionKeys, loadSigningKey } from './sp-keys.ts'
import { escapeXml } from './xml/text.ts'

/** A logout that continues at the provider through which the session was created. */
export interface OutgoingLogout {
  readonly subject: ProviderSubject
  readonly requestId: string
  /** Stores the request, in the transaction that ends the session. */
  readonly step: Step
}

/** Prepares the logout at this provider. Returns undefined when the session was not created through it. */
export const prepareLogout = (
  { now }: Services,
  providerId: number,
  { providerSubject: subject, userId }: SessionRecord,
): OutgoingLogout | undefined => {
  if (subject?.providerId !== providerId) return undefined
  const requestId = createMessageId()
  const step = buildLogoutRequestStep({ providerId, id: requestId }, userId, now() + signInRequestMs)
  return { subject, requestId, step }
}

/**
 * Builds the URL that ends the session at its provider, or returns undefined when that is not possible. The local session
 * has already ended, so no error here may suggest otherwise.
 */
export const buildLogoutUrl = async (
  services: Services,
  { subject, requestId }: OutgoingLogout,
): Promise<string | undefined> => {
  const provider = await findSamlConnection(services.table, subject.providerId)
  return (
    provider &&
    buildRedirectUrl({ services, provider }, provider.slo_url, (head) => ({
      kind: 'SAMLRequest',
      xml: buildLogoutRequest({ ...head, id: requestId }, subject),
    }))
  )
}

interface LogoutAnswer {
  readonly message: LogoutMessage
  readonly outcome: LogoutOutcome
  readonly relayState: string | undefined
}

/** Builds the URL with the response to a logout request, or returns undefined when the provider has no URL for it. */
export const buildLogoutResponseUrl = (
  saml: SamlContext,
  { message, outcome, relayState }: LogoutAnswer,
): Promise<string | undefined> =>
  buildRedirectUrl(saml, saml.provider.sloResponseUrl || saml.provider.slo_url, (head) => ({
    kind: 'SAMLResponse',
    xml: buildLogoutResponse({ ...head, id: createMessageId() }, message.id, outcome),
    relayState,
  }))

const buildRedirectUrl = async (
  { services, provider }: Pick<SamlContext, 'services' | 'provider'>,
  sloUrl: string | null,
  write: (head: Omit<MessageHead, 'id'>) => OutgoingMessage,
): Promise<string | undefined> => {
  if (sloUrl === null) return undefined
  try {
    const key = await loadSigningKey(services, provider)
    const serviceEntityId = getServiceUrls(services.config.publicUrl, provider.id).metadata
    if (key)
      return buildSignedRedirect(sloUrl, write({ nowMs: services.now(), serviceEntityId, sloUrl }), key)
    services.log.warn('saml_logout.no_key', { provider: provider.id })
  } catch (error) {
    services.log.error('saml_logout.not_sent', { provider: provider.id, error })
  }
  return undefined
}

/** Ends the sessions that a logout request is about, for at most `providerSignOutMs`. Returns the outcome for the provider. */
export const signOut = async (saml: SamlContext, message: LogoutMessage): Promise<LogoutOutcome> => {
  const { services, provider } = saml
  try {
    const subject = await readSubject(message, () => loadDecryptionKeys(services, provider))
    if (!subject) return 'not_understood'
    const { isComplete } = await endSessions(saml, message, subject)
    return isComplete ? 'success' : 'partial'
  } catch (error) {
    // The provider learns that not all sessions have ended, so that it can ask again and inform its user.
    services.log.error('saml_logout.failed', { provider: provider.id, error })
    return 'partial'
  }
}

const endSessions = (
  { services: { table, now }, provider, context }: SamlContext,
  { issuedAt }: LogoutMessage,
  subject: LogoutSubject,
) => {
  const startedAt = performance.now()
  return endNamedSessions(table, { ...subject, providerId: provider.id, issuedAt }, signOutRetentionMs, {
    nowMs: now(),
    extraSteps: ({ userId, id }) => [
      auditStep(context, 'session.ended', { user: userId, target: String(id) }),
    ],
    mayContinue: () => performance.now() - startedAt < providerSignOutMs,
  })
}

/** The properties that all outgoing logout messages have. */
interface MessageHead {
  readonly id: string
  readonly nowMs: number
  readonly serviceEntityId: string
  /** The destination of the message. */
  readonly sloUrl: string
}

/** The names of a user and a session at the identity provider. */
interface NamedSession {
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  readonly sessionIndex: string | null
}

/** Builds a request to end a session at the identity provider and all services that use it (SAML Core 3.7.1). */
const buildLogoutRequest = (head: MessageHead, session: NamedSession): string => {
  const nameAttributes = formatAttributes({
    Format: session.nameIdFormat,
    NameQualifier: session.nameQualifier,
    SPNameQualifier: session.spNameQualifier,
  })
  const rootAttributes = formatAttributes({
    NotOnOrAfter: new Date(head.nowMs + signInRequestMs).toISOString(),
  })
  const index =
    session.sessionIndex === null
      ? ''
      : `<samlp:SessionIndex>${escapeXml(session.sessionIndex)}</samlp:SessionIndex>`
  const content = `<saml:NameID${nameAttributes}>${escapeXml(session.nameId)}</saml:NameID>${index}`
  return buildMessage('LogoutRequest', head, rootAttributes, content)
}

/** The outcome of a logout request of an identity provider. */
type LogoutOutcome = 'success' | 'partial' | 'not_understood'

/** Builds the response to a logout request (SAML Core 3.7.2). The provider decides what to do about remaining sessions. */
const buildLogoutResponse = (head: MessageHead, inResponseTo: string, outcome: LogoutOutcome): string => {
  const code = {
    success: buildStatusCode(statuses.success),
    partial: buildStatusCode(statuses.responder, buildStatusCode(statuses.partialLogout)),
    not_understood: buildStatusCode(statuses.requester),
  }[outcome]
  const rootAttributes = formatAttributes({ InResponseTo: inResponseTo })
  return buildMessage('LogoutResponse', head, rootAttributes, `<samlp:Status>${code}</samlp:Status>`)
}

const buildStatusCode = (value: string, inner = ''): string =>
  inner === ''
    ? `<samlp:StatusCode Value="${value}"/>`
    : `<samlp:StatusCode Value="${value}">${inner}</samlp:StatusCode>`

const buildMessage = (name: string, head: MessageHead, moreAttributes: string, content: string): string => {
  const commonAttributes = formatAttributes({
    'xmlns:samlp': 'urn:oasis:names:tc:SAML:2.0:protocol',
    'xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion',
    ID: head.id,
    Version: '2.0',
    IssueInstant: new Date(head.nowMs).toISOString(),
    Destination: head.sloUrl,
  })
  const issuer = `<saml:Issuer>${escapeXml(head.serviceEntityId)}</saml:Issuer>`
  return `<samlp:${name}${commonAttributes}${moreAttributes}>${issuer}${content}</samlp:${name}>`
}

const formatAttributes = (values: Readonly<Record<string, string | null>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === null ? '' : ` ${name}="${escapeXml(value)}"`))
    .join('')
