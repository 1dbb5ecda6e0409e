import { readCertificates } from '../certificates.ts'
import { getChildren, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { XmlRefused } from '../xml/faults.ts'
import { readXml } from '../xml/read.ts'
import type { SignedPart } from '../xml/signature.ts'
import { isKnownSignature, isPlainSignature, isWeakSignature } from '../xml/signature-form.ts'
import { everyElement, getPlainAssertion, isAssertion } from './envelope.ts'
import {
  type Check,
  createFinding,
  type Expected,
  type Finding,
  type ValidationContext,
} from './validation-context.ts'

/*
 * What is believed of a response is what a signature vouches for: read anew from the very octets that were digested, so
 * that nothing that stands beside them, in whatever order or nesting, can be taken for them.
 */

const { assertion, protocol, signature } = namespaces

export const findSignatures = (element: XmlElement): readonly XmlElement[] =>
  getChildren(element, signature, 'Signature')

/** At most one in the response and one in the assertion, and none anywhere else; the first look at where they are. */
export const isSignedInPlace: Check = ({ response }) => {
  const plain = getPlainAssertion(response)
  const inPlace = [response, ...(plain ? [plain] : [])].map(findSignatures)
  const all = [...everyElement(response)].filter((element) => isElement(element, signature, 'Signature'))
  if (inPlace.some(({ length }) => length > 1) || all.length > inPlace.flat().length)
    return createFinding(
      'The response has a signature in a place where none belongs.',
      'Sign the response, the assertion, or both, each once and as a whole.',
    )
  return all.length === 0 && plain
    ? createFinding(
        'Neither the response nor its assertion is signed.',
        'Turn on signing of the assertion (or the response) at the identity provider.',
      )
    : undefined
}

export const isSignedSoundly: Check = ({ response }) =>
  [response, getPlainAssertion(response)].flatMap((element) =>
    element ? (findUnsoundness(element) ?? []) : [],
  )[0]

/** Looked at before a signature is verified, which takes time, and doesn't tell why it doesn't hold. */
export const findUnsoundness = (element: XmlElement): Finding | undefined => {
  const [named] = findSignatures(element)
  if (named && isWeakSignature(named))
    return createFinding(
      'The signature uses an algorithm that is no longer safe.',
      'Have the identity provider sign with rsa-sha256 and digest with sha256.',
    )
  if (named && !isPlainSignature(named))
    return createFinding(
      'The signature has a form that is not read.',
      'Sign the whole response, or the whole assertion, with the transforms enveloped-signature and xml-exc-c14n#.',
    )
  return named && !isKnownSignature(named)
    ? createFinding(
        'The signature uses an algorithm that is not known here.',
        'Have the identity provider sign with rsa-sha256 and digest with sha256.',
      )
    : undefined
}

export const responseSignatureHolds: Check = async (dossier, expected) => {
  if (findSignatures(dossier.response).length === 0) return undefined
  const signed = await verified(dossier, dossier.text, { root: true }, dossier.response, expected)
  if ('sentence' in signed) return signed
  if (!isElement(signed, protocol, 'Response')) return noSuchForm
  dossier.response = signed
  dossier.isResponseSigned = true
  return undefined
}

export const assertionSignatureHolds: Check = async (dossier, expected) => {
  const believed = await believable(dossier, expected)
  if ('sentence' in believed) return believed
  if (!isWholeAssertion(believed)) return noSuchForm
  dossier.assertion = believed
  return undefined
}

/** The assertion by its own signature where it has one, else by that of the response around it. */
const believable = (
  dossier: ValidationContext,
  expected: Expected,
): XmlElement | Finding | Promise<XmlElement | Finding> => {
  const { text, sent, decrypted, isResponseSigned } = dossier
  if (findSignatures(sent).length > 0) {
    // As it was sent: a signature around it may have dropped namespaces that the inner one counts on.
    const part = decrypted === undefined ? { id: sent.attributes.get('ID') ?? '' } : ({ root: true } as const)
    return verified(dossier, decrypted ?? text, part, sent, expected)
  }
  return isResponseSigned
    ? sent
    : createFinding(
        'The assertion is not signed.',
        'Turn on signing of the assertion (or the response) at the identity provider.',
      )
}

/** Whether it is an assertion, with no other one in it, and no signature but its own. */
export const isWholeAssertion = (root: XmlElement): boolean => {
  const inner = [...everyElement(root)].slice(1)
  return (
    isElement(root, assertion, 'Assertion') &&
    !inner.some(isAssertion) &&
    findSignatures(root).length < 2 &&
    inner.every((element) => !isElement(element, signature, 'Signature') || root.children.includes(element))
  )
}

export const noSuchForm = createFinding(
  'What is signed is not the response or the assertion as a whole.',
  'Sign the response, the assertion, or both, each once and as a whole.',
)

const verified = async (
  dossier: ValidationContext,
  text: string,
  part: SignedPart,
  element: XmlElement,
  { certificates }: Expected,
): Promise<XmlElement | Finding> => {
  const { verifySignedPart } = await import('../xml/signature.ts')
  try {
    const pems = certificates.map(({ pem }) => pem)
    const { octets, signedInfo } = verifySignedPart(text, part, pems)
    dossier.signedInfos.push(signedInfo)
    return readXml(octets)
  } catch (error) {
    if (error instanceof XmlRefused) return whyNot(element, certificates)
    throw error
  }
}

/** What the signature says of its own certificate is believed for a hint and nothing else. */
const whyNot = (element: XmlElement, certificates: Expected['certificates']): Finding => {
  const named = findSignatures(element)
    .flatMap((one) => getChildren(one, signature, 'KeyInfo'))
    .flatMap((info) => getChildren(info, signature, 'X509Data'))
    .flatMap((data) => getChildren(data, signature, 'X509Certificate'))
    .slice(0, 3)
    .flatMap(({ text }) => readCertificates(text).certificates)
  const isKnown = named.some(({ fingerprint }) =>
    certificates.some((certificate) => certificate.fingerprint === fingerprint),
  )
  return named.length > 0 && !isKnown
    ? createFinding(
        'The signature was made with a certificate that this service does not know.',
        'The identity provider has changed its certificate: refresh its metadata here, or add the new certificate.',
      )
    : createFinding(
        'The signature does not fit what was sent.',
        'Check that the certificate here is the one the identity provider signs with, and that nothing on the way changes the response.',
      )
}
