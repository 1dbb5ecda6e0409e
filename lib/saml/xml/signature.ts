import type { DomElement } from '@xmldom/xmldom/lib/dom-parser.js'
import { canonicalize } from './canonicalize.ts'
import { findElementsById, getAncestors, getChildElements, parseXml } from './dom.ts'
import { namespaces } from './element.ts'
import { XmlRefused } from './faults.ts'
import { readXml } from './read.ts'
import { isSignedByAny, matchesDigest } from './signature-algorithms.ts'
import { findCanonicalization, readSignedInfo, type SignedInfo } from './signature-form.ts'

/*
 * XML Signature 3.2, of the one form that SAML has (Core 5.4). Loaded when there is a signature to check, by `import()`:
 * the libraries behind it take their time. The text must have been read by `readXml` before, which bounds what they get.
 */

/** Which element is to be signed: the root, or the one with this ID. */
export type SignedPart = { readonly root: true } | { readonly id: string }

/** A part whose signature holds. */
export interface VerifiedPart {
  /** The octets that were digested: the element without its signature. */
  readonly octets: string
  /** What the signature says of itself, read from its signed octets. */
  readonly signedInfo: SignedInfo
}

/**
 * The bytes that a signature inside of an element vouches for, which is the element without the signature; nothing else
 * of the document may be believed. Each PEM is one certificate; any of them will do.
 *
 * @throws XmlRefused when no signature stands right in the element and covers the whole of it.
 */
export const getSignedXml = (text: string, part: SignedPart, pems: readonly string[]): string =>
  verifySignedPart(text, part, pems).octets

/**
 * Does the same as `getSignedXml`, and also returns how the part was signed.
 *
 * @throws XmlRefused
 */
export const verifySignedPart = (text: string, part: SignedPart, pems: readonly string[]): VerifiedPart => {
  const root = parseXml(text)
  const element = root && find(root, part)
  const [signature, another] = element ? partsOf(element, 'Signature') : []
  if (!root || !element || !signature || another) throw new XmlRefused('must be signed once, in its root')
  const verifiedPart = verified(root, element, signature, pems)
  if (verifiedPart === undefined)
    throw new XmlRefused(
      'has a signature that none of the certificates of the provider verifies: if its keys were exchanged, set certificate by hand',
    )
  return verifiedPart
}

const find = (root: DomElement, part: SignedPart): DomElement | undefined => {
  if ('root' in part) return root
  const [found, another] = findElementsById(root, part.id)
  return another || found?.getAttribute('ID') !== part.id ? undefined : found
}

const verified = (
  root: DomElement,
  element: DomElement,
  signature: DomElement,
  pems: readonly string[],
): VerifiedPart | undefined => {
  try {
    // What was signed is small. Digesting isn't, and is done for whoever has signed it alone.
    const signed = signedInfoOf(signature, pems)
    if (!signed || !isReferenceTo(element, root, signed.uri)) return undefined
    element.removeChild(signature)
    // A reference within the document leaves comments out, whatever is asked for (XML Signature 4.4.3.3).
    const octets = canonicalize(element, { ...signed.digested, hasComments: false })
    return matchesDigest(signed.digestMethod, octets, signed.digest)
      ? { octets, signedInfo: signed }
      : undefined
  } catch {
    // The library throws for whatever it doesn't take; its words may quote the document.
    return undefined
  }
}

/** What the signature says of the rest, read from the octets that were signed; undefined when they were not. */
const signedInfoOf = (signature: DomElement, pems: readonly string[]): SignedInfo | undefined => {
  const [info, another] = partsOf(signature, 'SignedInfo')
  const [value, otherValue] = partsOf(signature, 'SignatureValue')
  if (!info || another || !value || otherValue) return undefined
  const canonicalization = canonicalizationOf(info)
  if (!canonicalization) return undefined
  const octets = canonicalize(info, canonicalization)
  const signed = readSignedInfo(readXml(octets))
  const bytes = Buffer.from(value.textContent ?? '', 'base64')
  return signed && isSignedByAny(pems, signed.signatureMethod, octets, bytes) ? signed : undefined
}

const canonicalizationOf = (info: DomElement) => {
  const [method] = partsOf(info, 'CanonicalizationMethod')
  const [list] = method ? getChildElements(method) : []
  return (
    method && findCanonicalization(method.getAttribute('Algorithm'), list?.getAttribute('PrefixList') ?? '')
  )
}

/** A reference must be to the element that the signature stands in: by its ID, or by being to the whole document. */
const isReferenceTo = (element: DomElement, root: DomElement, uri: string): boolean => {
  if (uri === '') return getAncestors(element).length === 0
  const [meant, another] = uri.startsWith('#') ? findElementsById(root, uri.slice(1)) : []
  return meant === element && !another && uri === `#${element.getAttribute('ID')}`
}

const partsOf = (parent: DomElement, name: string): DomElement[] =>
  getChildElements(parent).filter(
    ({ namespaceURI, localName }) => namespaceURI === namespaces.signature && localName === name,
  )
