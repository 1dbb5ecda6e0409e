import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { getAuthnContexts, getAuthnTime, getSessionEnd, getSessionIndex } from './authentication.ts'
import { getConfirmationEnd } from './confirmation.ts'
import { readInstant } from './times.ts'
import type { Identifier, ValidationContext } from './validation-context.ts'

/** The content of an assertion that passed all steps. */
export interface Assertion {
  readonly id: string
  /** Epoch milliseconds, like all times here. */
  readonly issuedAt: number
  /** When the user signed in at the identity provider, by its clock. With an existing session there, it is long ago. */
  readonly authenticatedAt: number
  /** How the user signed in at the identity provider: classes of SAML, or values of `acr` and `amr`. */
  readonly authnContexts: readonly string[]
  /** The time at which the last confirmation expires, without the tolerance for clock skew. */
  readonly usableUntil: number
  readonly subject: {
    readonly nameId: string
    readonly nameIdFormat: string | null
    readonly nameQualifier: string | null
    readonly spNameQualifier: string | null
    /** The ID of the session at the identity provider. */
    readonly sessionIndex: string | null
  }
  /** The attribute that identifies the user if the NameID is transient, else null. */
  readonly identifier: Identifier | null
  /** The end of the session at the identity provider, if the assertion contains it. */
  readonly sessionEndsAt: number | null
  readonly attributes: readonly Attribute[]
}

/** SAML Core 2.7.3.1 */
export interface Attribute {
  readonly name: string
  readonly friendlyName: string | null
  readonly values: readonly string[]
}

/** Reads an assertion that passed all steps. @throws Error if a time is missing, which the steps rule out. */
export const readAssertion = ({ assertion, nameId, identifier }: ValidationContext): Assertion => {
  const getNameIdAttribute = (name: string): string | null => nameId.attributes.get(name) || null
  const sessionEnd = getSessionEnd(assertion)
  return {
    id: assertion.attributes.get('ID') ?? '',
    issuedAt: requireInstant(readInstant(assertion.attributes.get('IssueInstant'))),
    authenticatedAt: requireInstant(getAuthnTime(assertion)),
    authnContexts: getAuthnContexts(assertion),
    usableUntil: requireInstant(getConfirmationEnd(assertion)),
    subject: {
      nameId: nameId.text,
      nameIdFormat: getNameIdAttribute('Format'),
      nameQualifier: getNameIdAttribute('NameQualifier'),
      spNameQualifier: getNameIdAttribute('SPNameQualifier'),
      sessionIndex: getSessionIndex(assertion),
    },
    identifier: identifier ?? null,
    sessionEndsAt: sessionEnd === Number.POSITIVE_INFINITY ? null : requireInstant(sessionEnd),
    attributes: getChildren(assertion, namespaces.assertion, 'AttributeStatement')
      .flatMap((statement) => getChildren(statement, namespaces.assertion, 'Attribute'))
      .map(readAttribute),
  }
}

const requireInstant = (instant: number | undefined): number => {
  if (instant === undefined || Number.isNaN(instant)) throw new Error('the assertion lacks a time')
  return instant
}

/** Values that contain XML, such as a NameID, are left out. */
const readAttribute = (element: XmlElement): Attribute => ({
  name: element.attributes.get('Name') ?? '',
  friendlyName: element.attributes.get('FriendlyName') || null,
  values: getChildren(element, namespaces.assertion, 'AttributeValue').flatMap(({ children, text }) =>
    children.length === 0 && text.trim() !== '' ? [text.trim()] : [],
  ),
})
