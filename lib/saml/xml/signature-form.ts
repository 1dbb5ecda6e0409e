import { childrenOf, namespaces, type XmlElement } from './element.ts'

const { signature } = namespaces

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const canonicalizations = [exclusive, `${exclusive}WithComments`, inclusive, `${inclusive}#WithComments`]
const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', ...canonicalizations]

/** Characters of a list of prefixes; verifying goes through all of it at each element. */
const longestPrefixList = 500

/**
 * Whether a signature has the one form that makes sense for a message (SAML Core 5.4): a single reference, and no
 * transforms but that which takes the signature out and one that makes the octets. More than that is work for whoever
 * verifies, which a stranger could order by the thousand.
 */
export const isPlainSignature = (element: XmlElement): boolean => {
  const [info, secondInfo] = childrenOf(element, signature, 'SignedInfo')
  if (!info || secondInfo) return false
  const [reference, ...others] = childrenOf(info, signature, 'Reference')
  const [canonicalization, ...more] = childrenOf(info, signature, 'CanonicalizationMethod')
  if (!reference || others.length > 0 || !canonicalization || more.length > 0) return false
  const lists = childrenOf(reference, signature, 'Transforms')
  const steps = lists.flatMap((list) => childrenOf(list, signature, 'Transform'))
  return (
    lists.length < 2 &&
    steps.length <= 2 &&
    steps.every((step) => transforms.includes(algorithmOf(step))) &&
    canonicalizations.includes(algorithmOf(canonicalization)) &&
    [canonicalization, ...steps].every(hasShortPrefixList)
  )
}

const hasShortPrefixList = ({ children }: XmlElement): boolean =>
  children.length < 2 &&
  children.every(({ attributes }) => (attributes.get('PrefixList') ?? '').length <= longestPrefixList)

/** Whether a signature is by an algorithm that is known to be weak; sound ones are listed where they are verified. */
export const isWeakSignature = (element: XmlElement): boolean => {
  const infos = childrenOf(element, signature, 'SignedInfo')
  const references = infos.flatMap((info) => childrenOf(info, signature, 'Reference'))
  const methods = [
    ...infos.flatMap((info) => childrenOf(info, signature, 'SignatureMethod')),
    ...references.flatMap((reference) => childrenOf(reference, signature, 'DigestMethod')),
  ]
  return methods.some((method) => /#(\w+-)?(sha1|md5|ripemd160)$|#hmac-/i.test(algorithmOf(method)))
}

const algorithmOf = ({ attributes }: XmlElement): string => attributes.get('Algorithm') ?? ''
