import { DOMParser, type DomElement, type DomNode } from '@xmldom/xmldom/lib/dom-parser.js'
import { XmlRefused } from './faults.ts'

/*
 * The tree that canonicalisation works on, which needs prefixes as they were written. The library takes its time to be
 * loaded. The text must have been read by `readXml` before, which bounds what the library is given.
 */

/** The root of a document, as the library reads it. @throws XmlRefused */
export const parseXml = (text: string): DomElement | undefined =>
  new DOMParser({
    errorHandler: (_level, _message) => {
      throw new XmlRefused('is not well-formed')
    },
    // Those of XML 1.0 were seen to when the bytes were decoded; the library would change more, as XML 1.1 has it.
    normalizeLineEndings: (same) => same,
  }).parseFromString(text, 'text/xml').documentElement ?? undefined

export const getChildElements = (parent: DomElement): DomElement[] => {
  const all: DomElement[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) if (isElement(node)) all.push(node)
  return all
}

/** The elements around one, from the inside out. */
export const getAncestors = (element: DomElement): DomElement[] => {
  const all: DomElement[] = []
  for (let node = element.parentNode; isElement(node); node = node.parentNode) all.push(node)
  return all
}

/** All elements that say of themselves that they are of this ID, by any attribute that signatures know for one. */
export const findElementsById = (root: DomElement, id: string): DomElement[] => {
  const found: DomElement[] = []
  const visit = (element: DomElement): void => {
    const isMeant = Array.from(element.attributes).some(
      ({ localName, value }) => value === id && localName?.toLowerCase() === 'id',
    )
    if (isMeant) found.push(element)
    getChildElements(element).forEach(visit)
  }
  visit(root)
  return found
}

const isElement = (node: DomNode | null): node is DomElement => node?.nodeType === 1
