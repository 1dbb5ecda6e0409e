import type { DomElement } from '@xmldom/xmldom/lib/dom-parser.js'
import {
  C14nCanonicalization,
  C14nCanonicalizationWithComments,
  ExclusiveCanonicalization,
  ExclusiveCanonicalizationWithComments,
} from 'xml-crypto'
import { getAncestors } from './dom.ts'
import type { Canonicalization } from './signature-form.ts'

/** The octets of an element where it stands, in Canonical XML 1.0 or its exclusive form; the tree may change by it. */
export const canonicalize = (
  element: DomElement,
  { isExclusive, hasComments, prefixes }: Canonicalization,
): string => {
  const options = {
    inclusiveNamespacesPrefixList: [...prefixes],
    ancestorNamespaces: namespacesAround(element),
  }
  const [plain, withComments] = isExclusive
    ? [ExclusiveCanonicalization, ExclusiveCanonicalizationWithComments]
    : [C14nCanonicalization, C14nCanonicalizationWithComments]
  const algorithm = hasComments ? new withComments() : new plain()
  // The library's types are those of browsers, which the project does without.
  return algorithm.process(element as never, options as never)
}

/** What is declared around an element, and not in it: declarations further in hide those further out. */
const namespacesAround = (element: DomElement): readonly { prefix: string; namespaceURI: string }[] => {
  const own = new Set([...declarationsIn(element).map(({ prefix }) => prefix), element.prefix ?? ''])
  const around = new Map<string, string>()
  for (const { prefix, namespaceURI } of getAncestors(element).flatMap(declarationsIn))
    if (!own.has(prefix) && !around.has(prefix)) around.set(prefix, namespaceURI)
  return [...around].flatMap(([prefix, namespaceURI]) => (namespaceURI ? [{ prefix, namespaceURI }] : []))
}

const declarationsIn = ({ attributes }: DomElement) =>
  Array.from(attributes).flatMap(({ prefix, localName, value }) => {
    if (prefix === 'xmlns') return [{ prefix: localName ?? '', namespaceURI: value }]
    return prefix === null && localName === 'xmlns' ? [{ prefix: '', namespaceURI: value }] : []
  })
