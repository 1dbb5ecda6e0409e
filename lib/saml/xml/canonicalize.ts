import type { DomElement } from '@xmldom/xmldom/lib/dom-parser.js'
import {
  C14nCanonicalization,
  C14nCanonicalizationWithComments,
  ExclusiveCanonicalization,
  ExclusiveCanonicalizationWithComments,
} from 'xml-crypto'
import { getAncestors } from './dom.ts'
import type { Canonicalization } from './signature-form.ts'

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
