import type { KeyObject } from 'node:crypto'
import {
  logoutMessageMaxAgeMs,
  samlNameIdBytes,
  sessionIndexesPerLogout,
} from '../../../../kernel/limits/saml-limits.ts'
import { DecryptionError, readDecrypted } from '../assertion/decryption.ts'
import { hasStarted, isInProgress, readInstant } from '../assertion/times.ts'
import { RedirectError } from '../redirect/receive.ts'
import type { MessageKind } from '../redirect/send.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { trimIndentation } from '../xml/text.ts'
import { XmlError } from '../xml/xml-error.ts'

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

/** The user and the sessions that a logout request ends. */
export interface LogoutSubject {
  readonly nameId: string
  readonly nameIdFormat: string | null
  /** Empty for all sessions of the user. */
  readonly sessionIndexes: readonly string[]
}

/**
 * Reads the subject of a logout request (SAML Core 3.7.1), whose name may be encrypted. Returns undefined if there is not
 * exactly one valid name, or if there are too many or empty session IDs. The identity provider must then be informed.
 */
export const readSubject = async (
  { root }: LogoutMessage,
  decryptionKeys: () => Promise<readonly KeyObject[]>,
): Promise<LogoutSubject | undefined> => {
  const sessionIndexes = getChildren(root, protocol, 'SessionIndex').map(({ text }) => trimIndentation(text))
  const [container, ...others] = [
    ...getChildren(root, assertion, 'NameID'),
    ...getChildren(root, assertion, 'EncryptedID'),
  ]
  if (!container || others.length > 0) return undefined
  const hasValidIndexes = sessionIndexes.every((index) => index.trim() !== '')
  if (sessionIndexes.length > sessionIndexesPerLogout || !hasValidIndexes) return undefined
  const nameId =
    container.name === 'EncryptedID' ? decryptNameId(container, await decryptionKeys()) : container
  if (!nameId || nameId.children.length > 0) return undefined
  const name = trimIndentation(nameId.text)
  if (name.trim() === '' || Buffer.byteLength(name) > samlNameIdBytes) return undefined
  return { nameId: name, nameIdFormat: nameId.attributes.get('Format') ?? null, sessionIndexes }
}

const decryptNameId = (container: XmlElement, keys: readonly KeyObject[]): XmlElement | undefined => {
  try {
    const { element } = readDecrypted(container, keys)
    return isElement(element, assertion, 'NameID') ? element : undefined
  } catch (error) {
    if (error instanceof DecryptionError || error instanceof XmlError) return undefined
    throw error
  }
}

/** Reads the outcome of a logout response: whether all sessions have ended (SAML Core 3.7.3). */
export const readOutcome = ({
  root,
}: LogoutMessage): { readonly inResponseTo: string | undefined; readonly isSuccess: boolean } => {
  const [code] = getChildren(root, protocol, 'Status').flatMap((status) =>
    getChildren(status, protocol, 'StatusCode'),
  )
  const inner = code ? getChildren(code, protocol, 'StatusCode') : []
  return {
    inResponseTo: root.attributes.get('InResponseTo'),
    isSuccess: code?.attributes.get('Value') === statuses.success && inner.length === 0,
  }
}

/** SAML Core 3.2.2.2. */
export const statuses = {
  success: 'urn:oasis:names:tc:SAML:2.0:status:Success',
  requester: 'urn:oasis:names:tc:SAML:2.0:status:Requester',
  responder: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
  partialLogout: 'urn:oasis:names:tc:SAML:2.0:status:PartialLogout',
} as const
