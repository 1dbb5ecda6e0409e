import { DOMParser, type DomElement, type DomNode } from '@xmldom/xmldom/lib/dom-parser.js'
import { XmlError } from './xml-error.ts'

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
