import { readCertificates } from '../certificates.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import type { SignedPart } from '../xml/signature.ts'
import { isKnownSignature, isPlainSignature, isWeakSignature } from '../xml/signature-form.ts'
import { XmlError } from '../xml/xml-error.ts'
import { getPlainAssertion, isAssertion, iterateElements } from './envelope.ts'
import {
  type Check,
  createFinding,
  type Expectations,
  type Finding,
  type ValidationContext,
} from './validation-context.ts'

/*
 * Only signed content is trusted. It is read again from the octets that were digested, so content next to it cannot be
 * mistaken for it, in any order or nesting.
 */

const { assertion, protocol, signature } = namespaces

export const findSignatures = (element: XmlElement): readonly XmlElement[] =>
  getChildren(element, signature, 'Signature')

/** Allows at most one signature in the response and one in the assertion, and none elsewhere. */
export const checkSignaturePlaces: Check = ({ response }) => {
  const plain = getPlainAssertion(response)
  const inPlace = [response, ...(plain ? [plain] : [])].map(findSignatures)
  const all = [...iterateElements(response)].filter((element) => isElement(element, signature, 'Signature'))
  if (inPlace.some(({ length }) => length > 1) || all.length > inPlace.flat().length)
    return createFinding(
      'The response has a signature in the wrong place.',
      'Sign the response, the assertion, or both, each once and as a whole.',
    )
  return all.length === 0 && plain
    ? createFinding(
        'Neither the response nor its assertion is signed.',
        'Turn on signing of the assertion (or the response) at the identity provider.',
      )
    : undefined
}

export const checkAlgorithms: Check = ({ response }) =>
  [response, getPlainAssertion(response)].flatMap((element) =>
    element ? (checkSignatureForm(element) ?? []) : [],
  )[0]

/**
 * Checks the form and the algorithms of a signature before it is verified. Verification is slow, and its failure does
 * not show the cause.
 */
export const checkSignatureForm = (element: XmlElement): Finding | undefined => {
  const [found] = findSignatures(element)
  if (found && isWeakSignature(found))
    return createFinding(
      'The signature uses an algorithm that is no longer safe.',
      'Set the identity provider to sign with rsa-sha256 and digest with sha256.',
    )
  if (found && !isPlainSignature(found))
    return createFinding(
      'The signature has an unsupported form.',
      'Sign the whole response, or the whole assertion, with the transforms enveloped-signature and xml-exc-c14n#.',
    )
  return found && !isKnownSignature(found)
    ? createFinding(
        'The signature uses an unknown algorithm.',
        'Set the identity provider to sign with rsa-sha256 and digest with sha256.',
      )
    : undefined
}

export const checkResponseSignature: Check = async (context, expectations) => {
  if (findSignatures(context.response).length === 0) return undefined
  const signed = await readSignedPart(context, expectations, {
    text: context.text,
    part: { root: true },
    element: context.response,
  })
  if ('problem' in signed) return signed
  if (!isElement(signed, protocol, 'Response')) return incompleteSignature
  context.response = signed
  context.isResponseSigned = true
  return undefined
}

export const checkAssertionSignature: Check = async (context, expectations) => {
  const signed = await readSignedAssertion(context, expectations)
  if ('problem' in signed) return signed
  if (!isWholeAssertion(signed)) return incompleteSignature
  context.assertion = signed
  return undefined
}

/** Reads the assertion as its own signature covers it. If it has none, the signature of the response must cover it. */
const readSignedAssertion = (
  context: ValidationContext,
  expectations: Expectations,
): XmlElement | Finding | Promise<XmlElement | Finding> => {
  const { text, sent, decrypted, isResponseSigned } = context
  if (findSignatures(sent).length > 0) {
    // The text as it was sent is needed. Namespaces that the inner signature uses may be missing in the signed response.
    const part = decrypted === undefined ? { id: sent.attributes.get('ID') ?? '' } : ({ root: true } as const)
    return readSignedPart(context, expectations, { text: decrypted ?? text, part, element: sent })
  }
  return isResponseSigned
    ? sent
    : createFinding(
        'The assertion is not signed.',
        'Turn on signing of the assertion (or the response) at the identity provider.',
      )
}

/** Whether the root is an assertion that contains no other assertion and no signature except its own. */
export const isWholeAssertion = (root: XmlElement): boolean => {
  const descendants = [...iterateElements(root)].slice(1)
  return (
    isElement(root, assertion, 'Assertion') &&
    !descendants.some(isAssertion) &&
    findSignatures(root).length < 2 &&
    descendants.every(
      (element) => !isElement(element, signature, 'Signature') || root.children.includes(element),
    )
  )
}

const incompleteSignature = createFinding(
  'The signature does not cover the response or the assertion as a whole.',
  'Sign the response, the assertion, or both, each once and as a whole.',
)

interface SignedSource {
  /** The document that contains the signed part. */
  readonly text: string
  readonly part: SignedPart
  /** The signed part as it was read before verification. */
  readonly element: XmlElement
}

const readSignedPart = async (
  context: ValidationContext,
  { certificates }: Expectations,
  { text, part, element }: SignedSource,
): Promise<XmlElement | Finding> => {
  const { verifySignedPart } = await import('../xml/signature.ts')
  try {
    const keys = certificates.map(({ publicKey }) => publicKey)
    const { octets, signedInfo } = verifySignedPart(text, part, keys)
    context.signedInfos.push(signedInfo)
    return readXml(octets)
  } catch (error) {
    if (error instanceof XmlError) return explainFailure(element, certificates)
    throw error
  }
}

/** The certificate in the signature itself is used only for this advice. */
const explainFailure = (element: XmlElement, certificates: Expectations['certificates']): Finding => {
  const ownCertificates = findSignatures(element)
    .flatMap((found) => getChildren(found, signature, 'KeyInfo'))
    .flatMap((info) => getChildren(info, signature, 'X509Data'))
    .flatMap((data) => getChildren(data, signature, 'X509Certificate'))
    .slice(0, 3)
    .flatMap(({ text }) => readCertificates(text).certificates)
  const isKnown = ownCertificates.some(({ fingerprint }) =>
    certificates.some((certificate) => certificate.fingerprint === fingerprint),
  )
  return ownCertificates.length > 0 && !isKnown
    ? createFinding(
        'The signature was made with a certificate that this service does not know.',
        'The identity provider has changed its certificate: refresh its metadata here, or add the new certificate.',
      )
    : createFinding(
        'The signature does not match the message.',
        'Check that the certificate here is the one that the identity provider signs with, and that nothing changes the response on the way.',
      )
}
