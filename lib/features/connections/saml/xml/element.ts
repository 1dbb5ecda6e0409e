import type { Scope } from './names.ts'

/** A parsed element with resolved namespaces and without comments. */
export interface XmlElement {
  readonly namespace: string
  /** Without a prefix. */
  readonly name: string
  /** By name. Names with a prefix have the form `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The element's own text, without that of its children. */
  readonly text: string
  /** The prefixes that can be used inside the element. */
  readonly scope: Scope
  readonly place: Place
}

/** Positions of an element in the text that it was read from. */
export interface Place {
  /** The start of its start tag. */
  readonly start: number
  /** The end of its start tag and the start of its end tag. They are equal for an element without content. */
  readonly contentStart: number
  readonly contentEnd: number
  /** The end of its end tag. */
  readonly end: number
}

/** The namespaces that this service reads. */
export const namespaces = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

export const isElement = (element: XmlElement, namespace: string, name: string): boolean =>
  element.namespace === namespace && element.name === name

/** Returns the children with this name, in document order. */
export const getChildren = (parent: XmlElement, namespace: string, name: string): readonly XmlElement[] =>
  parent.children.filter((child) => isElement(child, namespace, name))

/** Returns the child of this name in the assertion namespace. Undefined if there is none, or more than one. */
export const findOnlyChild = (parent: XmlElement | undefined, name: string): XmlElement | undefined => {
  const [found, another] = parent ? getChildren(parent, namespaces.assertion, name) : []
  return another ? undefined : found
}
