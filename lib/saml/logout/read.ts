import type { KeyObject } from 'node:crypto'
import { samlNameIdBytes, sessionIndexesPerLogout } from '../../limits/saml-limits.ts'
import { DecryptionError, readDecrypted } from '../assertion/decryption.ts'
import { trimIndentation } from '../trim-indentation.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { XmlError } from '../xml/xml-error.ts'
import type { LogoutMessage } from './message.ts'

const { protocol, assertion } = namespaces

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
