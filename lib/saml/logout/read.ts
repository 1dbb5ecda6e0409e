import { samlNameIdBytes, sessionIndexesPerLogout } from '../../core/limits.ts'
import { childrenOf, namespaces } from '../xml/element.ts'
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
 * Whom a logout request is about (SAML Core 3.7.1); undefined where it doesn't say so in a way that is read here, which
 * is for the provider to be told: an encrypted name, none, an empty one, or too many sessions.
 */
export const subjectOf = ({ root }: LogoutMessage): LogoutSubject | undefined => {
  const [nameId, ...others] = childrenOf(root, assertion, 'NameID')
  const sessionIndexes = childrenOf(root, protocol, 'SessionIndex').map(({ text }) => text)
  const isPlain = nameId !== undefined && nameId.children.length === 0
  if (!isPlain || others.length > 0 || sessionIndexes.length > sessionIndexesPerLogout) return undefined
  const { text, attributes } = nameId
  if (text.trim() === '' || Buffer.byteLength(text) > samlNameIdBytes) return undefined
  return { nameId: text, nameIdFormat: attributes.get('Format') ?? null, sessionIndexes }
}

/** What a logout response answers, and whether every session there has ended (SAML Core 3.7.3). */
export const outcomeOf = ({
  root,
}: LogoutMessage): { readonly inResponseTo: string | undefined; readonly isSuccess: boolean } => {
  const [code] = childrenOf(root, protocol, 'Status').flatMap((status) =>
    childrenOf(status, protocol, 'StatusCode'),
  )
  const inner = code ? childrenOf(code, protocol, 'StatusCode') : []
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
