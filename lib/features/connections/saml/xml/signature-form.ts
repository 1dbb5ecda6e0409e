import { getChildren, namespaces, type XmlElement } from './element.ts'
import { isKnownDigestMethod, isKnownSignatureMethod } from './signature-algorithms.ts'

const { signature } = namespaces

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/** How an element is converted to the octets that are signed or digested. */
export interface Canonicalization {
  readonly isExclusive: boolean
  readonly hasComments: boolean
  /** Prefixes that are treated as in inclusive canonicalization (Exclusive XML Canonicalization 3). */
  readonly prefixes: readonly string[]
}

const canonicalizations: ReadonlyMap<string, Omit<Canonicalization, 'prefixes'>> = new Map([
  [exclusive, { isExclusive: true, hasComments: false }],
  [`${exclusive}WithComments`, { isExclusive: true, hasComments: true }],
  [inclusive, { isExclusive: false, hasComments: false }],
  [`${inclusive}#WithComments`, { isExclusive: false, hasComments: true }],
])

/** The content of a SignedInfo (XML Signature 4.4). */
export interface SignedInfo {
  readonly canonicalization: Canonicalization
  readonly signatureMethod: string
  /** The target of the only reference. */
  readonly uri: string
  /** The canonicalization of the target, after its signature was removed. */
  readonly referenceCanonicalization: Canonicalization
  readonly digestMethod: string
  readonly digest: Buffer
}

/**
 * Reads a SignedInfo of the only form that SAML allows (Core 5.4): one reference, the enveloped signature transform, and
 * at most one canonicalization. More transforms would let an attacker cause expensive work. Returns undefined for all
 * other forms. The algorithms may be unknown.
 */
export const readSignedInfo = (info: XmlElement): SignedInfo | undefined => {
  const reference = findOnly(info, 'Reference')
  const method = findOnly(info, 'SignatureMethod')
  const canonicalization = readCanonicalization(findOnly(info, 'CanonicalizationMethod'))
  const referenceCanonicalization = reference && readTransforms(reference)
  const digestMethod = reference && findOnly(reference, 'DigestMethod')
  const digest = reference && findOnly(reference, 'DigestValue')
  if (!reference || !method || !canonicalization || !referenceCanonicalization || !digestMethod || !digest)
    return undefined
  if (digest.children.length > 0) return undefined
  return {
    canonicalization,
    signatureMethod: getAlgorithm(method),
    uri: reference.attributes.get('URI') ?? '',
    referenceCanonicalization,
    digestMethod: getAlgorithm(digestMethod),
    digest: Buffer.from(digest.text, 'base64'),
  }
}

const findOnly = (parent: XmlElement, name: string): XmlElement | undefined => {
  const [found, another] = getChildren(parent, signature, name)
  return another ? undefined : found
}

/** The two transforms may have any order, because the octets are the same. */
const readTransforms = (reference: XmlElement): Canonicalization | undefined => {
  const list = findOnly(reference, 'Transforms')
  const steps = list ? getChildren(list, signature, 'Transform') : []
  const [canonical, ...others] = steps.filter((step) => getAlgorithm(step) !== enveloped)
  const envelopedCount = steps.length - others.length - (canonical ? 1 : 0)
  if (envelopedCount !== 1 || others.length > 0) return undefined
  // This is the default canonicalization (XML Signature 4.4.3.2).
  return canonical
    ? readCanonicalization(canonical)
    : { isExclusive: false, hasComments: false, prefixes: [] }
}

/** The limit in characters. Verification searches the whole list at each element. */
const maxPrefixListLength = 500

const readCanonicalization = (element: XmlElement | undefined): Canonicalization | undefined =>
  element && element.children.length < 2
    ? findCanonicalization(getAlgorithm(element), element.children[0]?.attributes.get('PrefixList') ?? '')
    : undefined

/** Returns the canonicalization of an algorithm and a list of prefixes, which may be empty. Undefined if it is unknown. */
export const findCanonicalization = (algorithm: string, prefixList: string): Canonicalization | undefined => {
  const known = canonicalizations.get(algorithm)
  if (!known || prefixList.length > maxPrefixListLength) return undefined
  return { ...known, prefixes: prefixList.split(/\s+/).filter((prefix) => prefix !== '') }
}

const findSignedInfos = (element: XmlElement): readonly XmlElement[] =>
  getChildren(element, signature, 'SignedInfo')

/** Whether a signature has the supported form. */
export const isPlainSignature = (element: XmlElement): boolean => {
  const info = findOnly(element, 'SignedInfo')
  return info !== undefined && readSignedInfo(info) !== undefined
}

/** Whether a plain signature uses known algorithms. All known algorithms are safe. */
export const isKnownSignature = (element: XmlElement): boolean =>
  findSignedInfos(element).every((info) => {
    const { signatureMethod = '', digestMethod = '' } = readSignedInfo(info) ?? {}
    return isKnownSignatureMethod(signatureMethod) && isKnownDigestMethod(digestMethod)
  })

/** Whether a signature uses an algorithm that is known to be weak. */
export const isWeakSignature = (element: XmlElement): boolean => {
  const infos = findSignedInfos(element)
  const references = infos.flatMap((info) => getChildren(info, signature, 'Reference'))
  const methods = [
    ...infos.flatMap((info) => getChildren(info, signature, 'SignatureMethod')),
    ...references.flatMap((reference) => getChildren(reference, signature, 'DigestMethod')),
  ]
  return methods.some((method) => /#(\w+-)?(sha1|md5|ripemd160)$|#hmac-/i.test(getAlgorithm(method)))
}

const getAlgorithm = ({ attributes }: XmlElement): string => attributes.get('Algorithm') ?? ''
