import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'

/** Returns the child of this name in the assertion namespace. Undefined if there is none, or more than one. */
export const findOnlyChild = (parent: XmlElement | undefined, name: string): XmlElement | undefined => {
  const [found, another] = parent ? getChildren(parent, namespaces.assertion, name) : []
  return another ? undefined : found
}
