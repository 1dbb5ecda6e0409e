import type { RequiredSignatures } from '../second-verifier/node-saml.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import type { SignedInfo } from '../xml/signature-form.ts'
import { getPlainAssertion } from './envelope.ts'
import { findSignatures } from './signatures.ts'
import { type Check, createFinding, type Expectations, type ValidationContext } from './validation-context.ts'

const rejectedBySecond = createFinding(
  'A second, independent check of the signature did not accept the response.',
  'Set the identity provider to sign the whole response or assertion in the usual form: rsa-sha256, exclusive canonicalization, a reference by ID. If it already does, report this response as a security problem.',
)

const differentContent = createFinding(
  'Two independent checks of the signature read different content from the response.',
  'Do not accept this response. Report it as a security problem.',
)

/** Compares the content with what node-saml reads from the same message with the same certificates. */
export const checkWithSecondVerifier: Check = async (context, expectations) => {
  const { signedInfos } = context
  if (signedInfos.length > 0 && !signedInfos.some(isKnownToNodeSaml)) return undefined
  const readings = await readTwice(context, expectations)
  if (readings.length === 0 || readings.some(({ theirs }) => !theirs)) return rejectedBySecond
  return readings.every(({ ours, theirs }) => theirs && hasSameContent(ours, theirs))
    ? undefined
    : differentContent
}

/** A signed part as it was read here, and as node-saml read it. Undefined if node-saml did not accept its signature. */
interface Reading {
  readonly ours: XmlElement
  readonly theirs: XmlElement | undefined
}

/** Reads each signed part. An encrypted assertion is passed on decrypted, so node-saml never gets a private key. */
const readTwice = async (
  context: ValidationContext,
  expectations: Expectations,
): Promise<readonly Reading[]> => {
  const { readAssertionWithNodeSaml, readSignedRootWithNodeSaml } = await import(
    '../second-verifier/node-saml.ts'
  )
  const { text, received, decrypted, response, assertion, isResponseSigned } = context
  const { serviceEntityId, assertionUrl, certificates } = expectations
  const pems = certificates.map(({ pem }) => pem)
  const isAssertionSigned = findSignatures(context.sent).length > 0
  const read = (xml: string, requiredSignatures: RequiredSignatures) =>
    readAssertionWithNodeSaml(xml, {
      pems,
      serviceEntityId,
      assertionUrl,
      audience: findWrittenAudience(assertion, serviceEntityId),
      requiredSignatures,
    })
  const signedParts = keepSignedParts(
    text,
    received,
    isResponseSigned ? received : getPlainAssertion(received),
  )
  if (decrypted === undefined) {
    const required = { response: isResponseSigned, assertion: isAssertionSigned }
    return [{ ours: assertion, theirs: await read(signedParts, required) }]
  }
  const readings: Reading[] = []
  if (isResponseSigned)
    readings.push({ ours: response, theirs: await readSignedRootWithNodeSaml(signedParts, pems) })
  if (isAssertionSigned) {
    const root = readXml(decrypted)
    // This response declares no namespace, since inclusive canonicalization would sign it.
    const wrapped = `<Response>${keepSignedParts(decrypted, root, root)}</Response>`
    readings.push({ ours: assertion, theirs: await read(wrapped, { response: false, assertion: true }) })
  }
  return readings
}

/** Finds the audience of this service with its surrounding whitespace, which node-saml compares as well. */
const findWrittenAudience = (assertion: XmlElement, serviceEntityId: string): string => {
  const path = ['Conditions', 'AudienceRestriction', 'Audience']
  const audiences = path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap((element) => getChildren(element, namespaces.assertion, name)),
    [assertion],
  )
  return audiences.find(({ text }) => text.trim() === serviceEntityId)?.text ?? serviceEntityId
}

/** The algorithms that node-saml 5.1 verifies, as far as they are safe. It cannot be extended. */
const signatureMethods = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const digestMethods = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']

/**
 * Whether node-saml can verify a signature of this form. `signedInfo` must come from signed octets: only the identity
 * provider can choose a form that node-saml cannot verify.
 */
const isKnownToNodeSaml = ({ signatureMethod, digestMethod, uri }: SignedInfo): boolean =>
  signatureMethods.includes(signatureMethod) && digestMethods.includes(digestMethod) && uri !== ''

/**
 * Whether two readings of an element agree in everything that is read from it: names, namespaces, attributes, texts and
 * children. Signatures right in the element are left out, since octets exist with and without them.
 */
const hasSameContent = (left: XmlElement, right: XmlElement): boolean =>
  isSame(removeSignature(left), removeSignature(right))

const removeSignature = (element: XmlElement): XmlElement => ({
  ...element,
  children: element.children.filter((child) => !isElement(child, namespaces.signature, 'Signature')),
})

const isSame = (left: XmlElement, right: XmlElement): boolean =>
  left.namespace === right.namespace &&
  left.name === right.name &&
  normalizeLineEnds(left.text) === normalizeLineEnds(right.text) &&
  left.attributes.size === right.attributes.size &&
  [...left.attributes].every(([name, value]) => isSameText(value, right.attributes.get(name))) &&
  left.children.length === right.children.length &&
  left.children.every((child, at) => isSame(child, right.children[at] ?? right))

const isSameText = (left: string, right: string | undefined): boolean =>
  right !== undefined && normalizeLineEnds(left) === normalizeLineEnds(right)

/** node-saml reports these two characters as line ends, after it verified the octets with them. */
const normalizeLineEnds = (text: string): string => text.replaceAll(/[\u0085\u2028]/g, '\n')

/*
 * A message may contain a large amount of unsigned content. node-saml can take half a second to read it, although it is
 * never trusted. So node-saml only gets the signed parts as they were sent, with their signatures.
 */

/** Returns the text of a root with only the signed element in it, which may be the root itself. */
const keepSignedParts = (text: string, root: XmlElement, signed: XmlElement = root): string => {
  const part = keepBareSignature(text, signed)
  if (signed === root) return part
  const { start, contentStart, contentEnd, end } = root.place
  return text.slice(start, contentStart) + part + text.slice(contentEnd, end)
}

/** Removes everything from the signature that is not needed to verify it, such as certificates and objects. */
const keepBareSignature = (text: string, element: XmlElement): string => {
  const { start, end } = element.place
  const [signature] = getChildren(element, namespaces.signature, 'Signature')
  if (!signature) return text.slice(start, end)
  const { contentStart, contentEnd } = signature.place
  const kept = signature.children.map((child) => keepBareChild(text, child)).join('')
  return text.slice(start, contentStart) + kept + text.slice(contentEnd, end)
}

const keepBareChild = (text: string, child: XmlElement): string => {
  const { start, contentStart, contentEnd, end } = child.place
  if (isElement(child, namespaces.signature, 'SignedInfo')) return text.slice(start, end)
  if (!isElement(child, namespaces.signature, 'SignatureValue')) return ''
  const value = child.text.replaceAll(/[^A-Za-z0-9+/=]/g, '')
  return text.slice(start, contentStart) + value + text.slice(contentEnd, end)
}
