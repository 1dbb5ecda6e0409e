import type { Scope } from './names.ts'

/** An element as it was read: names with their namespaces resolved, comments gone. */
export interface XmlElement {
  readonly namespace: string
  /** Without a prefix. */
  readonly name: string
  /** By name; those with a prefix as `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The element's own text, without that of its children. */
  readonly text: string
  /** The prefixes that are declared inside of it. */
  readonly scope: Scope
  readonly place: Place
}

/** Where an element stands in the text that it was read from. */
export interface Place {
  /** Of its start tag. */
  readonly start: number
  /** Behind its start tag, and before its end tag; the same for an element without content. */
  readonly contentStart: number
  readonly contentEnd: number
  /** Behind its end tag. */
  readonly end: number
}

/** Namespaces of what is read here. */
export const namespaces = {
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const

export const isElement = ({ namespace, name }: XmlElement, ofNamespace: string, called: string): boolean =>
  namespace === ofNamespace && name === called

/** The children of this name, in order. */
export const getChildren = (parent: XmlElement, namespace: string, name: string): readonly XmlElement[] =>
  parent.children.filter((child) => isElement(child, namespace, name))
