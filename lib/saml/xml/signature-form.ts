import { getChildren, namespaces, type XmlElement } from './element.ts'
import { isKnownDigestMethod, isKnownSignatureMethod } from './signature-algorithms.ts'

const { signature } = namespaces

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/** How an element becomes the octets that are signed or digested. */
export interface Canonicalization {
  readonly isExclusive: boolean
  readonly hasComments: boolean
  /** Prefixes that are treated as inclusive canonicalisation does (Exclusive XML Canonicalization 3). */
  readonly prefixes: readonly string[]
}

const canonicalizations: ReadonlyMap<string, Omit<Canonicalization, 'prefixes'>> = new Map([
  [exclusive, { isExclusive: true, hasComments: false }],
  [`${exclusive}WithComments`, { isExclusive: true, hasComments: true }],
  [inclusive, { isExclusive: false, hasComments: false }],
  [`${inclusive}#WithComments`, { isExclusive: false, hasComments: true }],
])

/** What a SignedInfo says (XML Signature 4.4). */
export interface SignedInfo {
  readonly canonicalization: Canonicalization
  readonly signatureMethod: string
  /** What the one reference is to, and how that becomes what is digested, but for the signature in it. */
  readonly uri: string
  readonly digested: Canonicalization
  readonly digestMethod: string
  readonly digest: Buffer
}

/**
 * Reads a SignedInfo of the one form that makes sense for a message (SAML Core 5.4): a single reference, the transform
 * that takes the signature out, and at most one that makes octets. More than that is work for whoever verifies, which a
 * stranger could order by the thousand. Undefined for any other form; algorithms may be unknown.
 */
export const readSignedInfo = (info: XmlElement): SignedInfo | undefined => {
  const reference = only(info, 'Reference')
  const method = only(info, 'SignatureMethod')
  const canonicalization = canonicalizationOf(only(info, 'CanonicalizationMethod'))
  const digested = reference && digestedBy(reference)
  const digestMethod = reference && only(reference, 'DigestMethod')
  const digest = reference && only(reference, 'DigestValue')
  if (!reference || !method || !canonicalization || !digested || !digestMethod || !digest) return undefined
  if (digest.children.length > 0) return undefined
  return {
    ...{ canonicalization, digested, signatureMethod: algorithmOf(method) },
    uri: reference.attributes.get('URI') ?? '',
    digestMethod: algorithmOf(digestMethod),
    digest: Buffer.from(digest.text, 'base64'),
  }
}

const only = (parent: XmlElement, name: string): XmlElement | undefined => {
  const [found, another] = getChildren(parent, signature, name)
  return another ? undefined : found
}

/** Whichever of the two transforms comes first, the octets are the same. */
const digestedBy = (reference: XmlElement): Canonicalization | undefined => {
  const list = only(reference, 'Transforms')
  const steps = list ? getChildren(list, signature, 'Transform') : []
  const [canonical, ...others] = steps.filter((step) => algorithmOf(step) !== enveloped)
  const takenOut = steps.length - others.length - (canonical ? 1 : 0)
  if (takenOut !== 1 || others.length > 0) return undefined
  // Where no transform makes octets, this one does (XML Signature 4.4.3.2).
  return canonical ? canonicalizationOf(canonical) : { isExclusive: false, hasComments: false, prefixes: [] }
}

/** Characters of a list of prefixes; verifying goes through all of it at each element. */
const longestPrefixList = 500

const canonicalizationOf = (element: XmlElement | undefined): Canonicalization | undefined =>
  element && element.children.length < 2
    ? findCanonicalization(algorithmOf(element), element.children[0]?.attributes.get('PrefixList') ?? '')
    : undefined

/** What an algorithm does with a list of prefixes, which may be empty; undefined for one that isn't known. */
export const findCanonicalization = (algorithm: string, prefixList: string): Canonicalization | undefined => {
  const known = canonicalizations.get(algorithm)
  if (!known || prefixList.length > longestPrefixList) return undefined
  return { ...known, prefixes: prefixList.split(/\s+/).filter((prefix) => prefix !== '') }
}

const infosOf = (element: XmlElement): readonly XmlElement[] => getChildren(element, signature, 'SignedInfo')

/** Whether a signature has the form that is read. */
export const isPlainSignature = (element: XmlElement): boolean => {
  const info = only(element, 'SignedInfo')
  return info !== undefined && readSignedInfo(info) !== undefined
}

/** Whether a plain signature is by algorithms that are known here, all of which are sound. */
export const isKnownSignature = (element: XmlElement): boolean =>
  infosOf(element).every((info) => {
    const { signatureMethod = '', digestMethod = '' } = readSignedInfo(info) ?? {}
    return isKnownSignatureMethod(signatureMethod) && isKnownDigestMethod(digestMethod)
  })

/** Whether a signature is by an algorithm that is known to be weak. */
export const isWeakSignature = (element: XmlElement): boolean => {
  const infos = infosOf(element)
  const references = infos.flatMap((info) => getChildren(info, signature, 'Reference'))
  const methods = [
    ...infos.flatMap((info) => getChildren(info, signature, 'SignatureMethod')),
    ...references.flatMap((reference) => getChildren(reference, signature, 'DigestMethod')),
  ]
  return methods.some((method) => /#(\w+-)?(sha1|md5|ripemd160)$|#hmac-/i.test(algorithmOf(method)))
}

const algorithmOf = ({ attributes }: XmlElement): string => attributes.get('Algorithm') ?? ''
