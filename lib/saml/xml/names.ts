import { XmlRefused } from './faults.ts'

/** A prefix, if there is one, and the name after it. */
export interface QName {
  readonly prefix: string
  readonly name: string
}

/** What is declared at a place of a document (Namespaces in XML 1.0). */
export interface Scope {
  /** The namespace of a prefix, or by '' of names without one; undefined where none is declared. */
  readonly find: (prefix: string) => string | undefined
  /** Declarations in force, with those that are hidden by others. */
  readonly size: number
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

/** Each tool that reads a document again would copy these for every element. */
const declarationsInForce = 64

export const outermost: Scope = {
  find: (prefix) => (prefix === 'xml' ? xmlNamespace : undefined),
  size: 0,
}

export const parseQName = (text: string): QName => {
  const colon = text.indexOf(':')
  return colon < 0
    ? { prefix: '', name: text }
    : { prefix: text.slice(0, colon), name: text.slice(colon + 1) }
}

/** The scope inside of an element with these attributes. @throws XmlRefused */
export const extendScope = (outer: Scope, attributes: ReadonlyMap<string, string>): Scope => {
  const own = new Map<string, string>()
  for (const [written, value] of attributes) {
    const { prefix, name } = parseQName(written)
    if (written !== 'xmlns' && prefix !== 'xmlns') continue
    const declared = prefix === 'xmlns' ? name : ''
    // One of the two may be declared for what it is, and neither for anything else.
    if (declared === 'xml' && value === xmlNamespace) continue
    const isReserved =
      declared === 'xml' || declared === 'xmlns' || value === xmlNamespace || value === xmlnsNamespace
    if (isReserved || (declared !== '' && value === ''))
      throw new XmlRefused('declares a namespace that nobody may declare')
    own.set(declared, value)
  }
  if (own.size === 0) return outer
  const size = outer.size + own.size
  if (size > declarationsInForce) throw new XmlRefused('declares too many namespaces')
  return { find: (prefix) => own.get(prefix) ?? outer.find(prefix), size }
}

/** The namespace of a prefix; of none, that which is declared for names without one. @throws XmlRefused */
export const resolveNamespace = (scope: Scope, prefix: string): string => {
  const namespace = scope.find(prefix)
  if (namespace === undefined && prefix !== '')
    throw new XmlRefused('uses a namespace prefix that it does not declare')
  return namespace ?? ''
}

/** Attributes under their full names; a name without a prefix is in no namespace (6.2). @throws XmlRefused */
export const resolveName = (scope: Scope, attributes: ReadonlyMap<string, string>): Map<string, string> => {
  const all = new Map<string, string>()
  for (const [written, value] of attributes) {
    const { prefix, name } = parseQName(written)
    if (written === 'xmlns' || prefix === 'xmlns') continue
    const full = prefix === '' ? name : `{${resolveNamespace(scope, prefix)}}${name}`
    if (all.has(full)) throw new XmlRefused('holds an attribute twice')
    all.set(full, value)
  }
  return all
}
