import { XmlError } from './xml-error.ts'

/** A name with its prefix, which is empty if there is none. */
export interface QName {
  readonly prefix: string
  readonly name: string
}

/** The namespace declarations at a position in a document (Namespaces in XML 1.0). */
export interface Scope {
  /** Returns the namespace of a prefix. The prefix '' finds the default namespace. Undefined if it is not declared. */
  readonly find: (prefix: string) => string | undefined
  /** The number of declarations, including those that inner ones hide. */
  readonly size: number
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

/** Libraries that parse the document again copy all declarations for every element, so their number is limited. */
const maxDeclarations = 64

export const outermostScope: Scope = {
  find: (prefix) => (prefix === 'xml' ? xmlNamespace : undefined),
  size: 0,
}

export const parseQName = (text: string): QName => {
  const colon = text.indexOf(':')
  return colon < 0
    ? { prefix: '', name: text }
    : { prefix: text.slice(0, colon), name: text.slice(colon + 1) }
}

/** Returns the scope inside an element with these attributes. @throws XmlError */
export const extendScope = (outer: Scope, attributes: ReadonlyMap<string, string>): Scope => {
  const own = new Map<string, string>()
  for (const [qualifiedName, value] of attributes) {
    const { prefix, name } = parseQName(qualifiedName)
    if (qualifiedName !== 'xmlns' && prefix !== 'xmlns') continue
    const declared = prefix === 'xmlns' ? name : ''
    // The prefix `xml` may be declared with its own namespace. All other declarations of reserved names are invalid.
    if (declared === 'xml' && value === xmlNamespace) continue
    const isReserved =
      declared === 'xml' || declared === 'xmlns' || value === xmlNamespace || value === xmlnsNamespace
    if (isReserved || (declared !== '' && value === ''))
      throw new XmlError('declares a reserved namespace or prefix')
    own.set(declared, value)
  }
  if (own.size === 0) return outer
  const size = outer.size + own.size
  if (size > maxDeclarations) throw new XmlError('declares too many namespaces')
  return { find: (prefix) => own.get(prefix) ?? outer.find(prefix), size }
}

/** Returns the namespace of a prefix. Without a prefix, returns the default namespace. @throws XmlError */
export const resolveNamespace = (scope: Scope, prefix: string): string => {
  const namespace = scope.find(prefix)
  if (namespace === undefined && prefix !== '')
    throw new XmlError('uses a namespace prefix that it does not declare')
  return namespace ?? ''
}

/** Resolves attribute names. Names without a prefix have no namespace (6.2). @throws XmlError */
export const resolveAttributes = (
  scope: Scope,
  attributes: ReadonlyMap<string, string>,
): Map<string, string> => {
  const resolved = new Map<string, string>()
  for (const [qualifiedName, value] of attributes) {
    const { prefix, name } = parseQName(qualifiedName)
    if (qualifiedName === 'xmlns' || prefix === 'xmlns') continue
    const fullName = prefix === '' ? name : `{${resolveNamespace(scope, prefix)}}${name}`
    if (resolved.has(fullName)) throw new XmlError('contains an attribute twice')
    resolved.set(fullName, value)
  }
  return resolved
}
