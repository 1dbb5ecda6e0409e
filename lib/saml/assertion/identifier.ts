import { samlNameIdBytes } from '../../limits/saml-limits.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'

/** An attribute that identifies the user instead of a transient NameID. */
export interface Identifier {
  readonly attribute: string
  readonly value: string
}

/**
 * Reads the attribute that identifies the user (SAML Core 2.7.3.1). Only its exact Name counts, because a FriendlyName
 * identifies nothing. Returns undefined unless the assertion has it exactly once, with one value, which must be a text
 * that is valid as a NameID.
 */
export const readIdentifier = (assertion: XmlElement, attribute: string): Identifier | undefined => {
  const found = getChildren(assertion, namespaces.assertion, 'AttributeStatement')
    .flatMap((statement) => getChildren(statement, namespaces.assertion, 'Attribute'))
    .filter(({ attributes }) => attributes.get('Name') === attribute)
    .map((element) => getChildren(element, namespaces.assertion, 'AttributeValue'))
  const [first, ...others] = found.flat()
  if (found.length !== 1 || !first || others.length > 0 || first.children.length > 0) return undefined
  const value = first.text.trim()
  return value === '' || /[\p{Cc}\p{Cf}]/u.test(value) || Buffer.byteLength(value) > samlNameIdBytes
    ? undefined
    : { attribute, value }
}
