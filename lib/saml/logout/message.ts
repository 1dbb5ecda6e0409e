import { logoutMessageMaxAgeMs } from '../../core/limits.ts'
import { hasStarted, isInProgress, readInstant } from '../assertion/times.ts'
import { withoutIndent } from '../pretty-print.ts'
import { RedirectRefused } from '../redirect/faults.ts'
import type { MessageKind } from '../redirect/send.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'

const { protocol, assertion } = namespaces

/** What a logout message has to be about to be taken. */
export interface ExpectedMessage {
  readonly nowMs: number
  readonly providerEntityId: string
  /** Our address for logout messages of this provider. */
  readonly address: string
}

/** A logout message that is authentic, for us, and of now. */
export interface LogoutMessage {
  readonly id: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
  readonly root: XmlElement
}

const names = { SAMLRequest: 'LogoutRequest', SAMLResponse: 'LogoutResponse' } as const

/**
 * Reads what every logout message says of itself (SAML Core 3.2.1, 3.2.2), of a query whose signature was verified.
 *
 * @throws RedirectRefused
 */
export const readLogoutMessage = (
  kind: MessageKind,
  root: XmlElement,
  { nowMs, providerEntityId, address }: ExpectedMessage,
): LogoutMessage => {
  const refuse = (message: string): never => {
    throw new RedirectRefused(kind, message)
  }
  const attribute = (name: string) => root.attributes.get(name)
  const id = attribute('ID') ?? ''
  const issuedAt = readInstant(attribute('IssueInstant'))
  const issuers = getChildren(root, assertion, 'Issuer')

  if (!isElement(root, protocol, names[kind])) refuse(`must be a ${names[kind]}`)
  if (attribute('Version') !== '2.0') refuse('must be of SAML version 2.0')
  if (!/^[\p{L}_][\p{L}\p{N}._-]{0,255}$/u.test(id)) refuse('has no usable ID')
  if (issuers.length !== 1 || withoutIndent(issuers[0]?.text ?? '') !== providerEntityId)
    refuse('was not issued by the identity provider of this address')
  // Where the message is signed, it must say where it was sent (SAML Bindings 3.4.5.2).
  if (attribute('Destination') !== address) refuse(`must have ${address} as its Destination`)
  if (issuedAt === undefined) return refuse('doesn’t say when it was issued')
  if (!hasStarted(issuedAt, nowMs)) refuse('was issued later than now: compare the clocks')
  if (!isInProgress(issuedAt + logoutMessageMaxAgeMs, nowMs)) refuse('was issued too long ago')
  if (kind === 'SAMLRequest' && isOver(attribute('NotOnOrAfter'), nowMs))
    refuse('is over: its NotOnOrAfter has passed, or is no time')
  return { id, issuedAt, root }
}

/** SAML Core 3.7.1. */
const isOver = (text: string | undefined, nowMs: number): boolean => {
  if (text === undefined) return false
  const end = readInstant(text)
  return end === undefined || !isInProgress(end, nowMs)
}
