import { samlRequestMs } from '../../limits/saml-limits.ts'
import { escapeXml } from '../xml/escape.ts'
import { statuses } from './read.ts'

/** The properties that all outgoing logout messages have. */
export interface MessageHead {
  readonly id: string
  readonly nowMs: number
  readonly serviceEntityId: string
  /** The destination of the message. */
  readonly sloUrl: string
}

/** The names of a user and a session at the identity provider. */
export interface NamedSession {
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  readonly sessionIndex: string | null
}

/** Builds a request to end a session at the identity provider and all services that use it (SAML Core 3.7.1). */
export const buildLogoutRequest = (head: MessageHead, session: NamedSession): string => {
  const nameAttributes = formatAttributes({
    Format: session.nameIdFormat,
    NameQualifier: session.nameQualifier,
    SPNameQualifier: session.spNameQualifier,
  })
  const rootAttributes = formatAttributes({
    NotOnOrAfter: new Date(head.nowMs + samlRequestMs).toISOString(),
  })
  const index =
    session.sessionIndex === null
      ? ''
      : `<samlp:SessionIndex>${escapeXml(session.sessionIndex)}</samlp:SessionIndex>`
  const content = `<saml:NameID${nameAttributes}>${escapeXml(session.nameId)}</saml:NameID>${index}`
  return buildMessage('LogoutRequest', head, rootAttributes, content)
}

/** The outcome of a logout request of an identity provider. */
export type LogoutOutcome = 'success' | 'partial' | 'not_understood'

/** Builds the response to a logout request (SAML Core 3.7.2). The provider decides what to do about remaining sessions. */
export const buildLogoutResponse = (
  head: MessageHead,
  inResponseTo: string,
  outcome: LogoutOutcome,
): string => {
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
