import { DOMParser, type DomElement, type DomNode } from '@xmldom/xmldom/lib/dom-parser.js'
import {
  C14nCanonicalization,
  C14nCanonicalizationWithComments,
  ExclusiveCanonicalization,
  ExclusiveCanonicalizationWithComments,
} from 'xml-crypto'
import { namespaces } from './element.ts'
import { readXml } from './read.ts'
import { isSignedByAny, matchesDigest, type VerificationKey } from './signature-algorithms.ts'
import {
  type Canonicalization,
  findCanonicalization,
  readSignedInfo,
  type SignedInfo,
} from './signature-form.ts'
import { XmlError } from './xml-error.ts'

/*
 * Verifies XML signatures (XML Signature 3.2) of the only form that SAML allows (Core 5.4). Load this module with
 * `import()` when there is a signature to verify, because its libraries are slow to load. Only pass texts that `readXml`
 * accepted, because it limits their size and content.
 */

/** The element that must be signed: the root, or the element with this ID. */
export type SignedPart = { readonly root: true } | { readonly id: string }

/** A part with a valid signature. */
export interface VerifiedPart {
  /** The digested octets: the element without its signature. */
  readonly octets: string
  /** The SignedInfo, read from signed octets. */
  readonly signedInfo: SignedInfo
}

/**
 * Returns the octets that the signature of an element covers: the element without the signature. Nothing else of the
 * document may be trusted. Each key is a public key or the PEM of one certificate, and any of them may have signed.
 *
 * @throws XmlError if no valid signature in the element covers the whole element.
 */
export const getSignedXml = (text: string, part: SignedPart, keys: readonly VerificationKey[]): string =>
  verifySignedPart(text, part, keys).octets

/**
 * Does the same as `getSignedXml`, and also returns how the part was signed.
 *
 * @throws XmlError
 */
export const verifySignedPart = (
  text: string,
  part: SignedPart,
  keys: readonly VerificationKey[],
): VerifiedPart => {
  const root = parseXml(text)
  const element = root && findPart(root, part)
  const [signature, another] = element ? findParts(element, 'Signature') : []
  if (!root || !element || !signature || another)
    throw new XmlError('must be signed exactly once, in its root')
  const verifiedPart = verifySignature({ root, element, signature }, keys)
  if (verifiedPart === undefined)
    throw new XmlError(
      'has a signature that none of the certificates of the provider verifies: if it has changed its keys, set certificate manually',
    )
  return verifiedPart
}

const findPart = (root: DomElement, part: SignedPart): DomElement | undefined => {
  if ('root' in part) return root
  const [found, another] = findElementsById(root, part.id)
  return another || found?.getAttribute('ID') !== part.id ? undefined : found
}

interface SignedElement {
  readonly root: DomElement
  readonly element: DomElement
  readonly signature: DomElement
}

const verifySignature = (
  { root, element, signature }: SignedElement,
  keys: readonly VerificationKey[],
): VerifiedPart | undefined => {
  try {
    // The SignedInfo is small, so it is verified first. The large digest is computed only for trusted signers.
    const signedInfo = readVerifiedSignedInfo(signature, keys)
    if (!signedInfo || !isReferenceTo(element, root, signedInfo.uri)) return undefined
    element.removeChild(signature)
    // References within a document always exclude comments (XML Signature 4.4.3.3).
    const octets = canonicalize(element, { ...signedInfo.referenceCanonicalization, hasComments: false })
    return matchesDigest(signedInfo.digestMethod, octets, signedInfo.digest)
      ? { octets, signedInfo }
      : undefined
  } catch {
    // The errors of the library are dropped, because they may quote the document.
    return undefined
  }
}

/** Reads the SignedInfo from its signed octets. Undefined if its signature is not valid. */
const readVerifiedSignedInfo = (
  signature: DomElement,
  keys: readonly VerificationKey[],
): SignedInfo | undefined => {
  const [info, another] = findParts(signature, 'SignedInfo')
  const [value, otherValue] = findParts(signature, 'SignatureValue')
  if (!info || another || !value || otherValue) return undefined
  const canonicalization = readCanonicalization(info)
  if (!canonicalization) return undefined
  const octets = canonicalize(info, canonicalization)
  const signedInfo = readSignedInfo(readXml(octets))
  const bytes = Buffer.from(value.textContent ?? '', 'base64')
  return signedInfo && isSignedByAny(keys, signedInfo.signatureMethod, octets, bytes) ? signedInfo : undefined
}

const readCanonicalization = (info: DomElement) => {
  const [method] = findParts(info, 'CanonicalizationMethod')
  const [list] = method ? getChildElements(method) : []
  return (
    method && findCanonicalization(method.getAttribute('Algorithm'), list?.getAttribute('PrefixList') ?? '')
  )
}

/** Whether a reference points to the element that contains the signature, by its ID or as the whole document. */
const isReferenceTo = (element: DomElement, root: DomElement, uri: string): boolean => {
  if (uri === '') return getAncestors(element).length === 0
  const [target, another] = uri.startsWith('#') ? findElementsById(root, uri.slice(1)) : []
  return target === element && !another && uri === `#${element.getAttribute('ID')}`
}

const findParts = (parent: DomElement, name: string): DomElement[] =>
  getChildElements(parent).filter(
    ({ namespaceURI, localName }) => namespaceURI === namespaces.signature && localName === name,
  )

/** Canonicalizes an element in its document: Canonical XML 1.0 or its exclusive form. May change the tree. */
const canonicalize = (
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
const parseXml = (text: string): DomElement | undefined =>
  new DOMParser({
    errorHandler: (_level, _message) => {
      throw new XmlError('is not well-formed')
    },
    // `decodeXml` has normalized line ends by XML 1.0. The library would change more characters, by XML 1.1.
    normalizeLineEndings: (unchanged) => unchanged,
  }).parseFromString(text, 'text/xml').documentElement ?? undefined

const getChildElements = (parent: DomElement): DomElement[] => {
  const elements: DomElement[] = []
  for (let node = parent.firstChild; node; node = node.nextSibling) if (isElement(node)) elements.push(node)
  return elements
}

/** Returns the ancestors of an element, from the inside out. */
const getAncestors = (element: DomElement): DomElement[] => {
  const elements: DomElement[] = []
  for (let node = element.parentNode; isElement(node); node = node.parentNode) elements.push(node)
  return elements
}

/** Finds all elements with this ID, in any attribute that XML Signature libraries accept as an ID. */
const findElementsById = (root: DomElement, id: string): DomElement[] => {
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
