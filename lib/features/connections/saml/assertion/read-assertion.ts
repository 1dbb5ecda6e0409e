import type { Attribute, ProvenIdentity } from '../../proven-identity.records.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { getAuthnContexts, getAuthnTime, getSessionEnd, getSessionIndex } from './authentication.ts'
import { getConfirmationEnd } from './confirmation.ts'
import { readInstant } from './times.ts'
import type { ValidationContext } from './validation-context.ts'

/** Reads an assertion that passed all checks. @throws Error if a time is missing, which the checks rule out. */
export const readAssertion = ({ assertion, nameId, identifier }: ValidationContext): ProvenIdentity => {
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
