import { DOMParser, type DomElement, type DomNode } from '@xmldom/xmldom/lib/dom-parser.js'
import { SignedXml } from 'xml-crypto'
import { namespaces } from './element.ts'
import { XmlRefused } from './faults.ts'
import { trustCertificates } from './signature-algorithms.ts'

/*
 * Loaded when there is a signature to check, by `import()`: the libraries take their time. The text must have been read
 * by `readXml` before, which bounds what they are given.
 */

/** Which element is to be signed: the root, or the one with this ID. */
export type SignedPart = { readonly root: true } | { readonly id: string }

/**
 * The bytes that a signature inside of an element vouches for, which is the element without the signature; nothing else
 * of the document may be believed. Each PEM is one certificate; any of them will do.
 *
 * @throws XmlRefused when no signature stands right in the element and covers the whole of it.
 */
export const signedXmlOf = (text: string, part: SignedPart, pems: readonly string[]): string => {
  const element = find(parse(text), part)
  const signatures = element ? children(element).filter(isSignature) : []
  const [signature] = signatures
  if (!element || !signature || signatures.length > 1)
    throw new XmlRefused('must be signed once, in its root')
  const content = verified(text, element, signature, pems)
  if (content === undefined)
    throw new XmlRefused(
      'has a signature that none of the certificates of the provider verifies: if its keys were exchanged, set certificate by hand',
    )
  return content
}

const verified = (
  text: string,
  element: DomElement,
  signature: DomNode,
  pems: readonly string[],
): string | undefined => {
  try {
    const signed = new SignedXml()
    trustCertificates(signed, pems)
    signed.loadSignature(signature)
    if (!signed.checkSignature(text)) return undefined
    // Those that were verified, not those that were there before.
    const [reference, ...others] = signed.getReferences()
    const [content] = signed.getSignedReferences()
    return reference && others.length === 0 && covers(reference, element) ? content : undefined
  } catch {
    // The library throws for whatever it doesn't take; its words may quote the document.
    return undefined
  }
}

/** The reference must be to the element that the signature stands in, by its ID, or to the whole document. */
const covers = ({ uri }: { readonly uri?: string }, element: DomElement): boolean =>
  uri ? uri === `#${element.getAttribute('ID')}` : !isElement(element.parentNode)

const parse = (text: string): DomElement | undefined =>
  new DOMParser({
    errorHandler: (_level, _message) => {
      throw new XmlRefused('is not well-formed')
    },
  }).parseFromString(text, 'text/xml').documentElement ?? undefined

const find = (root: DomElement | undefined, part: SignedPart): DomElement | undefined => {
  if (!root || 'root' in part) return root
  const found: DomElement[] = []
  const visit = (element: DomElement): void => {
    if (element.getAttribute('ID') === part.id) found.push(element)
    for (const child of children(element)) visit(child)
  }
  visit(root)
  return found.length === 1 ? found[0] : undefined
}

const children = (parent: DomElement): DomElement[] => {
  const all: DomElement[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) if (isElement(node)) all.push(node)
  return all
}

const isElement = (node: DomNode | null): node is DomElement => node?.nodeType === 1
const isSignature = ({ namespaceURI, localName }: DomNode): boolean =>
  namespaceURI === namespaces.signature && localName === 'Signature'
