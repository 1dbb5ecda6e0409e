import { samlNameIdBytes } from '../../core/limits.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'

/** What says who a user is in place of a name ID that is another one each time. */
export interface Identifier {
  readonly attribute: string
  readonly value: string
}

const { assertion } = namespaces

/**
 * The attribute of this name as what identifies the user (SAML Core 2.7.3.1): by its Name alone and letter by letter,
 * since a friendly name identifies nothing. Undefined unless the assertion has it once, with one value, which is a text
 * such as a name ID may be.
 */
export const readIdentifier = (believed: XmlElement, attribute: string): Identifier | undefined => {
  const found = getChildren(believed, assertion, 'AttributeStatement')
    .flatMap((statement) => getChildren(statement, assertion, 'Attribute'))
    .filter(({ attributes }) => attributes.get('Name') === attribute)
    .map((element) => getChildren(element, assertion, 'AttributeValue'))
  const [given, ...others] = found.flat()
  if (found.length !== 1 || !given || others.length > 0 || given.children.length > 0) return undefined
  const value = given.text.trim()
  return value === '' || /[\p{Cc}\p{Cf}]/u.test(value) || Buffer.byteLength(value) > samlNameIdBytes
    ? undefined
    : { attribute, value }
}
