import { logoutMessageMaxAgeMs } from '../../limits/saml-limits.ts'
import { hasStarted, isInProgress, readInstant } from '../assertion/times.ts'
import { RedirectError } from '../redirect/redirect-error.ts'
import type { MessageKind } from '../redirect/send.ts'
import { trimIndentation } from '../trim-indentation.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'

const { protocol, assertion } = namespaces

/** The values that a logout message must match to be accepted. */
export interface ExpectedMessage {
  readonly nowMs: number
  readonly providerEntityId: string
  /** The URL of this service for logout messages of this provider. */
  readonly address: string
}

/** A logout message that is genuine, current, and for this service. */
export interface LogoutMessage {
  readonly id: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
  readonly root: XmlElement
}

const elementNames = { SAMLRequest: 'LogoutRequest', SAMLResponse: 'LogoutResponse' } as const

/**
 * Checks and reads the properties of a logout message (SAML Core 3.2.1, 3.2.2), after its signature was verified.
 *
 * @throws RedirectError
 */
export const readLogoutMessage = (
  kind: MessageKind,
  root: XmlElement,
  { nowMs, providerEntityId, address }: ExpectedMessage,
): LogoutMessage => {
  const refuse = (message: string): never => {
    throw new RedirectError(kind, message)
  }
  const getAttribute = (name: string) => root.attributes.get(name)
  const id = getAttribute('ID') ?? ''
  const issuedAt = readInstant(getAttribute('IssueInstant'))
  const issuers = getChildren(root, assertion, 'Issuer')

  if (!isElement(root, protocol, elementNames[kind])) refuse(`must be a ${elementNames[kind]}`)
  if (getAttribute('Version') !== '2.0') refuse('must use SAML version 2.0')
  if (!/^[\p{L}_][\p{L}\p{N}._-]{0,255}$/u.test(id)) refuse('must have a valid ID')
  if (issuers.length !== 1 || trimIndentation(issuers[0]?.text ?? '') !== providerEntityId)
    refuse('was not issued by the identity provider of this address')
  // A signed message must contain its destination (SAML Bindings 3.4.5.2).
  if (getAttribute('Destination') !== address) refuse(`must have ${address} as its Destination`)
  if (issuedAt === undefined) return refuse('must have a valid IssueInstant')
  if (!hasStarted(issuedAt, nowMs)) refuse('was issued in the future: check the clocks')
  if (!isInProgress(issuedAt + logoutMessageMaxAgeMs, nowMs)) refuse('was issued too long ago')
  if (kind === 'SAMLRequest' && hasExpired(getAttribute('NotOnOrAfter'), nowMs))
    refuse('has expired: its NotOnOrAfter has passed or is not a valid time')
  return { id, issuedAt, root }
}

/** SAML Core 3.7.1. */
const hasExpired = (text: string | undefined, nowMs: number): boolean => {
  if (text === undefined) return false
  const end = readInstant(text)
  return end === undefined || !isInProgress(end, nowMs)
}
