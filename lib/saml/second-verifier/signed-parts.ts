import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'

/*
 * A message may contain a large amount of unsigned content. node-saml can take half a second to read it, although it is
 * never trusted. So node-saml only gets the signed parts as they were sent, with their signatures.
 */

/** Returns the text of a root with only the signed element in it, which may be the root itself. */
export const keepSignedParts = (text: string, root: XmlElement, signed: XmlElement = root): string => {
  const part = keepBareSignature(text, signed)
  if (signed === root) return part
  const { start, contentStart, contentEnd, end } = root.place
  return text.slice(start, contentStart) + part + text.slice(contentEnd, end)
}

/** Removes everything from the signature that is not needed to verify it, such as certificates and objects. */
const keepBareSignature = (text: string, element: XmlElement): string => {
  const { start, end } = element.place
  const [signature] = getChildren(element, namespaces.signature, 'Signature')
  if (!signature) return text.slice(start, end)
  const { contentStart, contentEnd } = signature.place
  const kept = signature.children.map((child) => keepBareChild(text, child)).join('')
  return text.slice(start, contentStart) + kept + text.slice(contentEnd, end)
}

const keepBareChild = (text: string, child: XmlElement): string => {
  const { start, contentStart, contentEnd, end } = child.place
  if (isElement(child, namespaces.signature, 'SignedInfo')) return text.slice(start, end)
  if (!isElement(child, namespaces.signature, 'SignatureValue')) return ''
  const value = child.text.replaceAll(/[^A-Za-z0-9+/=]/g, '')
  return text.slice(start, contentStart) + value + text.slice(contentEnd, end)
}
