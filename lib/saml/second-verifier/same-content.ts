import { isElement, namespaces, type XmlElement } from '../xml/element.ts'

/**
 * Whether two readings of an element agree in everything that is read from it: names, namespaces, attributes, texts and
 * children. Signatures right in the element are left out, since octets exist with and without them.
 */
export const hasSameContent = (left: XmlElement, right: XmlElement): boolean =>
  isSame(removeSignature(left), removeSignature(right))

const removeSignature = (element: XmlElement): XmlElement => ({
  ...element,
  children: element.children.filter((child) => !isElement(child, namespaces.signature, 'Signature')),
})

const isSame = (left: XmlElement, right: XmlElement): boolean =>
  left.namespace === right.namespace &&
  left.name === right.name &&
  normalizeLineEnds(left.text) === normalizeLineEnds(right.text) &&
  left.attributes.size === right.attributes.size &&
  [...left.attributes].every(([name, value]) => isSameText(value, right.attributes.get(name))) &&
  left.children.length === right.children.length &&
  left.children.every((child, at) => isSame(child, right.children[at] ?? right))

const isSameText = (left: string, right: string | undefined): boolean =>
  right !== undefined && normalizeLineEnds(left) === normalizeLineEnds(right)

/** node-saml reports these two characters as line ends, after it verified the octets with them. */
const normalizeLineEnds = (text: string): string => text.replaceAll(/[\u0085\u2028]/g, '\n')
