import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { getSessionEnd, getSessionIndex } from './authentication.ts'
import { getConfirmationEnd } from './confirmation.ts'
import type { Identifier } from './identifier.ts'
import { readInstant } from './times.ts'
import type { ValidationContext } from './validation-context.ts'

/** What an assertion says, all of whose steps hold. */
export interface Assertion {
  readonly id: string
  /** Times are epoch milliseconds. */
  readonly issuedAt: number
  /** From when on nobody can bring it any more, but for differences of clocks. */
  readonly usableUntil: number
  readonly subject: {
    readonly nameId: string
    readonly nameIdFormat: string | null
    readonly nameQualifier: string | null
    readonly spNameQualifier: string | null
    /** What the provider calls its own session. */
    readonly sessionIndex: string | null
  }
  /** What tells the user from others where the name ID is another one each time; null where the name ID does. */
  readonly identifier: Identifier | null
  /** When the session there ends, where it says so. */
  readonly sessionEndsAt: number | null
  readonly attributes: readonly Attribute[]
}

/** SAML Core 2.7.3.1 */
export interface Attribute {
  readonly name: string
  readonly friendlyName: string | null
  readonly values: readonly string[]
}

/** Reads an assertion. @throws Error when a time in it can't be read, which the steps would have told. */
export const readAssertion = ({ assertion, nameId, identifier }: ValidationContext): Assertion => {
  const given = (name: string): string | null => nameId.attributes.get(name) || null
  const sessionEnd = getSessionEnd(assertion)
  return {
    id: assertion.attributes.get('ID') ?? '',
    issuedAt: known(readInstant(assertion.attributes.get('IssueInstant'))),
    usableUntil: known(getConfirmationEnd(assertion)),
    subject: {
      nameId: nameId.text,
      nameIdFormat: given('Format'),
      nameQualifier: given('NameQualifier'),
      spNameQualifier: given('SPNameQualifier'),
      sessionIndex: getSessionIndex(assertion),
    },
    identifier: identifier ?? null,
    sessionEndsAt: sessionEnd === Number.POSITIVE_INFINITY ? null : known(sessionEnd),
    attributes: getChildren(assertion, namespaces.assertion, 'AttributeStatement')
      .flatMap((part) => getChildren(part, namespaces.assertion, 'Attribute'))
      .map(attributeOf),
  }
}

const known = (instant: number | undefined): number => {
  if (instant === undefined || Number.isNaN(instant)) throw new Error('the assertion lacks a time')
  return instant
}

/** A value that is XML itself, such as a NameID in an attribute, says nothing here. */
const attributeOf = (element: XmlElement): Attribute => ({
  name: element.attributes.get('Name') ?? '',
  friendlyName: element.attributes.get('FriendlyName') || null,
  values: getChildren(element, namespaces.assertion, 'AttributeValue').flatMap(({ children, text }) =>
    children.length === 0 && text.trim() !== '' ? [text.trim()] : [],
  ),
})
