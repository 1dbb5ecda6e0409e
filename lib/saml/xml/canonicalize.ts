import { DOMParser, type DomElement, type DomNode } from '@xmldom/xmldom/lib/dom-parser.js'
import {
  C14nCanonicalization,
  C14nCanonicalizationWithComments,
  ExclusiveCanonicalization,
  ExclusiveCanonicalizationWithComments,
} from 'xml-crypto'
import type { Canonicalization } from './signature-form.ts'
import { XmlError } from './xml-error.ts'

/** Canonicalizes an element in its document: Canonical XML 1.0 or its exclusive form. May change the tree. */
export const canonicalize = (
  element: DomElement,
  { isExclusive, hasComments, prefixes }: Canonicalization,
): string => {
  const options = {
    inclusiveNamespacesPrefixList: [...prefixes],
    ancestorNamespaces: findOuterNamespaces(element),
  }
  const [plain, withComments] = isExclusive
    ? [ExclusiveCanonicalization, ExclusiveCanonicalizationWithComments]
    : [C14nCanonicalization, C14nCanonicalizationWithComments]
  const algorithm = hasComments ? new withComments() : new plain()
  // The library's types need the DOM types of browsers, which this project does not include.
  return algorithm.process(element as never, options as never)
}

/** Finds the declarations around an element that it does not repeat itself. Inner declarations hide outer ones. */
const findOuterNamespaces = (element: DomElement): readonly { prefix: string; namespaceURI: string }[] => {
  const own = new Set([...findDeclarations(element).map(({ prefix }) => prefix), element.prefix ?? ''])
  const outer = new Map<string, string>()
  for (const { prefix, namespaceURI } of getAncestors(element).flatMap(findDeclarations))
    if (!own.has(prefix) && !outer.has(prefix)) outer.set(prefix, namespaceURI)
  return [...outer].flatMap(([prefix, namespaceURI]) => (namespaceURI ? [{ prefix, namespaceURI }] : []))
}

const findDeclarations = ({ attributes }: DomElement) =>
  Array.from(attributes).flatMap(({ prefix, localName, value }) => {
    if (prefix === 'xmlns') return [{ prefix: localName ?? '', namespaceURI: value }]
    return prefix === null && localName === 'xmlns' ? [{ prefix: '', namespaceURI: value }] : []
  })

/*
 * The document tree for canonicalization, which needs the prefixes as they were written. The library is slow to load.
 * Only pass texts that `readXml` accepted, because it limits their size and content.
 */

/** Parses a document and returns its root. @throws XmlError */
export const parseXml = (text: string): DomElement | undefined =>
  new DOMParser({
    errorHandler: (_level, _message) => {
      throw new XmlError('is not well-formed')
    },
    // `decodeXml` has normalized line ends by XML 1.0. The library would change more characters, by XML 1.1.
    normalizeLineEndings: (unchanged) => unchanged,
  }).parseFromString(text, 'text/xml').documentElement ?? undefined

export const getChildElements = (parent: DomElement): DomElement[] => {
  const elements: DomElement[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) if (isElement(node)) elements.push(node)
  return elements
}

/** Returns the ancestors of an element, from the inside out. */
export const getAncestors = (element: DomElement): DomElement[] => {
  const elements: DomElement[] = []
  for (let node = element.parentNode; isElement(node); node = node.parentNode) elements.push(node)
  return elements
}

/** Finds all elements with this ID, in any attribute that XML Signature libraries accept as an ID. */
export const findElementsById = (root: DomElement, id: string): DomElement[] => {
  const found: DomElement[] = []
  const visit = (element: DomElement): void => {
    const hasId = Array.from(element.attributes).some(
      ({ localName, value }) => value === id && localName?.toLowerCase() === 'id',
    )
    if (hasId) found.push(element)
    getChildElements(element).forEach(visit)
  }
  visit(root)
  return found
}

const isElement = (node: DomNode | null): node is DomElement => node?.nodeType === 1
