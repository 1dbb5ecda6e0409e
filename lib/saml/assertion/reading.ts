import { childrenOf, namespaces, type XmlElement } from '../xml/element.ts'
import type { Dossier } from './dossier.ts'
import { one } from './parts.ts'
import { confirmationOf } from './subject.ts'
import { instantOf } from './times.ts'

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
export const readAssertion = ({ assertion, nameId }: Dossier): Assertion => {
  const statement = one(assertion, 'AuthnStatement')
  const given = (name: string): string | null => nameId.attributes.get(name) || null
  const sessionEnd = statement?.attributes.get('SessionNotOnOrAfter')
  return {
    id: assertion.attributes.get('ID') ?? '',
    issuedAt: timeOf(assertion, 'IssueInstant'),
    usableUntil: timeOf(confirmationOf(assertion), 'NotOnOrAfter'),
    subject: {
      nameId: nameId.text,
      nameIdFormat: given('Format'),
      nameQualifier: given('NameQualifier'),
      spNameQualifier: given('SPNameQualifier'),
      sessionIndex: statement?.attributes.get('SessionIndex') || null,
    },
    sessionEndsAt: sessionEnd === undefined ? null : timeOf(statement, 'SessionNotOnOrAfter'),
    attributes: childrenOf(assertion, namespaces.assertion, 'AttributeStatement')
      .flatMap((part) => childrenOf(part, namespaces.assertion, 'Attribute'))
      .map(attributeOf),
  }
}

const timeOf = (element: XmlElement | undefined, name: string): number => {
  const instant = instantOf(element?.attributes.get(name))
  if (instant === undefined) throw new Error(`the assertion has no ${name}`)
  return instant
}

/** A value that is XML itself, such as a NameID in an attribute, says nothing here. */
const attributeOf = (element: XmlElement): Attribute => ({
  name: element.attributes.get('Name') ?? '',
  friendlyName: element.attributes.get('FriendlyName') || null,
  values: childrenOf(element, namespaces.assertion, 'AttributeValue').flatMap(({ children, text }) =>
    children.length === 0 && text.trim() !== '' ? [text.trim()] : [],
  ),
})
