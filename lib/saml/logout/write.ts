import { samlRequestMs } from '../../core/limits.ts'
import { escapeXml } from '../xml/escape.ts'
import { statuses } from './read.ts'

/** What each of our logout messages says of itself. */
export interface MessageHead {
  readonly id: string
  readonly nowMs: number
  readonly serviceEntityId: string
  /** Where it is sent. */
  readonly sloUrl: string
}

/** A user and a session as the identity provider called them. */
export interface NamedSession {
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  readonly sessionIndex: string | null
}

/** A request to end a user's session at the identity provider, and everywhere it signed in by that (SAML Core 3.7.1). */
export const buildLogoutRequest = (head: MessageHead, session: NamedSession): string => {
  const name = attributes({
    Format: session.nameIdFormat,
    NameQualifier: session.nameQualifier,
    SPNameQualifier: session.spNameQualifier,
  })
  const end = attributes({ NotOnOrAfter: new Date(head.nowMs + samlRequestMs).toISOString() })
  const index =
    session.sessionIndex === null
      ? ''
      : `<samlp:SessionIndex>${escapeXml(session.sessionIndex)}</samlp:SessionIndex>`
  const content = `<saml:NameID${name}>${escapeXml(session.nameId)}</saml:NameID>${index}`
  return message('LogoutRequest', head, end, content)
}

/** How a logout request of an identity provider went. */
export type LogoutOutcome = 'success' | 'partial' | 'not_understood'

/** The answer to a logout request (SAML Core 3.7.2): what to do about sessions that are left is up to the provider. */
export const buildLogoutResponse = (
  head: MessageHead,
  inResponseTo: string,
  outcome: LogoutOutcome,
): string => {
  const code = {
    success: status(statuses.success),
    partial: status(statuses.responder, status(statuses.partialLogout)),
    not_understood: status(statuses.requester),
  }[outcome]
  const about = attributes({ InResponseTo: inResponseTo })
  return message('LogoutResponse', head, about, `<samlp:Status>${code}</samlp:Status>`)
}

const status = (value: string, inner = ''): string =>
  inner === ''
    ? `<samlp:StatusCode Value="${value}"/>`
    : `<samlp:StatusCode Value="${value}">${inner}</samlp:StatusCode>`

const message = (name: string, head: MessageHead, more: string, content: string): string => {
  const own = attributes({
    'xmlns:samlp': 'urn:oasis:names:tc:SAML:2.0:protocol',
    'xmlns:saml': 'urn:oasis:names:tc:SAML:2.0:assertion',
    ID: head.id,
    Version: '2.0',
    IssueInstant: new Date(head.nowMs).toISOString(),
    Destination: head.sloUrl,
  })
  const issuer = `<saml:Issuer>${escapeXml(head.serviceEntityId)}</saml:Issuer>`
  return `<samlp:${name}${own}${more}>${issuer}${content}</samlp:${name}>`
}

const attributes = (values: Readonly<Record<string, string | null>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === null ? '' : ` ${name}="${escapeXml(value)}"`))
    .join('')
