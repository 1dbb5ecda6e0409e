import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'

/** The child of this name of SAML's assertions; undefined where there is none, and where there are several. */
export const findOnlyChild = (parent: XmlElement | undefined, name: string): XmlElement | undefined => {
  const [found, another] = parent ? getChildren(parent, namespaces.assertion, name) : []
  return another ? undefined : found
}
