import type { KeyObject } from 'node:crypto'
import { samlNameIdBytes, sessionIndexesPerLogout } from '../../core/limits.ts'
import { DecryptionRefused, readDecrypted } from '../assertion/decryption.ts'
import { withoutIndent } from '../pretty-print.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { XmlRefused } from '../xml/faults.ts'
import type { LogoutMessage } from './message.ts'

const { protocol, assertion } = namespaces

/** Whom a logout request signs out. */
export interface LogoutSubject {
  readonly nameId: string
  readonly nameIdFormat: string | null
  /** None for all sessions. */
  readonly sessionIndexes: readonly string[]
}

/**
 * Whom a logout request is about (SAML Core 3.7.1), by a name that may be encrypted for us; undefined where it doesn't
 * say so in a way that is read here, which is for the provider to be told: no name, an empty one, too many sessions, or
 * one without a name.
 */
export const readSubject = async (
  { root }: LogoutMessage,
  decryptionKeys: () => Promise<readonly KeyObject[]>,
): Promise<LogoutSubject | undefined> => {
  const sessionIndexes = getChildren(root, protocol, 'SessionIndex').map(({ text }) => withoutIndent(text))
  const [named, ...others] = [
    ...getChildren(root, assertion, 'NameID'),
    ...getChildren(root, assertion, 'EncryptedID'),
  ]
  if (!named || others.length > 0) return undefined
  const isUsable = sessionIndexes.every((index) => index.trim() !== '')
  if (sessionIndexes.length > sessionIndexesPerLogout || !isUsable) return undefined
  const nameId = named.name === 'EncryptedID' ? decrypted(named, await decryptionKeys()) : named
  if (!nameId || nameId.children.length > 0) return undefined
  const name = withoutIndent(nameId.text)
  if (name.trim() === '' || Buffer.byteLength(name) > samlNameIdBytes) return undefined
  return { nameId: name, nameIdFormat: nameId.attributes.get('Format') ?? null, sessionIndexes }
}

const decrypted = (container: XmlElement, keys: readonly KeyObject[]): XmlElement | undefined => {
  try {
    const { element } = readDecrypted(container, keys)
    return isElement(element, assertion, 'NameID') ? element : undefined
  } catch (error) {
    if (error instanceof DecryptionRefused || error instanceof XmlRefused) return undefined
    throw error
  }
}

/** What a logout response answers, and whether every session there has ended (SAML Core 3.7.3). */
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
