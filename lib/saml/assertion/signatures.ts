import { readCertificates } from '../certificates.ts'
import { childrenOf, is, namespaces, type XmlElement } from '../xml/element.ts'
import { XmlRefused } from '../xml/faults.ts'
import { readXml } from '../xml/read.ts'
import type { SignedPart } from '../xml/signature.ts'
import { isKnownSignature, isPlainSignature, isWeakSignature } from '../xml/signature-form.ts'
import { everyElement, isAssertion, plainAssertionOf } from './envelope.ts'
import { type Dossier, type Expected, type Finding, finding, type Look } from './validation-context.ts'

/*
 * What is believed of a response is what a signature vouches for: read anew from the very octets that were digested, so
 * that nothing that stands beside them, in whatever order or nesting, can be taken for them.
 */

const { assertion, protocol, signature } = namespaces

export const signaturesIn = (element: XmlElement): readonly XmlElement[] =>
  childrenOf(element, signature, 'Signature')

/** At most one in the response and one in the assertion, and none anywhere else; the first look at where they are. */
export const isSignedInPlace: Look = ({ response }) => {
  const plain = plainAssertionOf(response)
  const inPlace = [response, ...(plain ? [plain] : [])].map(signaturesIn)
  const all = [...everyElement(response)].filter((element) => is(element, signature, 'Signature'))
  if (inPlace.some(({ length }) => length > 1) || all.length > inPlace.flat().length)
    return finding(
      'The response has a signature in a place where none belongs.',
      'Sign the response, the assertion, or both, each once and as a whole.',
    )
  return all.length === 0 && plain
    ? finding(
        'Neither the response nor its assertion is signed.',
        'Turn on signing of the assertion (or the response) at the identity provider.',
      )
    : undefined
}

export const isSignedSoundly: Look = ({ response }) =>
  [response, plainAssertionOf(response)].flatMap((element) =>
    element ? (unsoundness(element) ?? []) : [],
  )[0]

/** Looked at before a signature is verified, which takes time, and doesn't tell why it doesn't hold. */
export const unsoundness = (element: XmlElement): Finding | undefined => {
  const [named] = signaturesIn(element)
  if (named && isWeakSignature(named))
    return finding(
      'The signature uses an algorithm that is no longer safe.',
      'Have the identity provider sign with rsa-sha256 and digest with sha256.',
    )
  if (named && !isPlainSignature(named))
    return finding(
      'The signature has a form that is not read.',
      'Sign the whole response, or the whole assertion, with the transforms enveloped-signature and xml-exc-c14n#.',
    )
  return named && !isKnownSignature(named)
    ? finding(
        'The signature uses an algorithm that is not known here.',
        'Have the identity provider sign with rsa-sha256 and digest with sha256.',
      )
    : undefined
}

export const responseSignatureHolds: Look = async (dossier, expected) => {
  if (signaturesIn(dossier.response).length === 0) return undefined
  const signed = await verified(dossier.text, { root: true }, dossier.response, expected)
  if ('sentence' in signed) return signed
  if (!is(signed, protocol, 'Response')) return noSuchForm
  dossier.response = signed
  dossier.isResponseSigned = true
  return undefined
}

export const assertionSignatureHolds: Look = async (dossier, expected) => {
  const believed = await believable(dossier, expected)
  if ('sentence' in believed) return believed
  if (!isWholeAssertion(believed)) return noSuchForm
  dossier.assertion = believed
  return undefined
}

/** The assertion by its own signature where it has one, else by that of the response around it. */
const believable = (
  { text, sent, decrypted, isResponseSigned }: Dossier,
  expected: Expected,
): XmlElement | Finding | Promise<XmlElement | Finding> => {
  if (signaturesIn(sent).length > 0) {
    // As it was sent: a signature around it may have dropped namespaces that the inner one counts on.
    const part = decrypted === undefined ? { id: sent.attributes.get('ID') ?? '' } : ({ root: true } as const)
    return verified(decrypted ?? text, part, sent, expected)
  }
  return isResponseSigned
    ? sent
    : finding(
        'The assertion is not signed.',
        'Turn on signing of the assertion (or the response) at the identity provider.',
      )
}

/** Whether it is an assertion, with no other one in it, and no signature but its own. */
export const isWholeAssertion = (root: XmlElement): boolean => {
  const inner = [...everyElement(root)].slice(1)
  return (
    is(root, assertion, 'Assertion') &&
    !inner.some(isAssertion) &&
    signaturesIn(root).length < 2 &&
    inner.every((element) => !is(element, signature, 'Signature') || root.children.includes(element))
  )
}

export const noSuchForm = finding(
  'What is signed is not the response or the assertion as a whole.',
  'Sign the response, the assertion, or both, each once and as a whole.',
)

const verified = async (
  text: string,
  part: SignedPart,
  element: XmlElement,
  { certificates }: Expected,
): Promise<XmlElement | Finding> => {
  const { signedXmlOf } = await import('../xml/signature.ts')
  try {
    return readXml(
      signedXmlOf(
        text,
        part,
        certificates.map(({ pem }) => pem),
      ),
    )
  } catch (error) {
    if (error instanceof XmlRefused) return whyNot(element, certificates)
    throw error
  }
}

/** What the signature says of its own certificate is believed for a hint and nothing else. */
const whyNot = (element: XmlElement, certificates: Expected['certificates']): Finding => {
  const named = signaturesIn(element)
    .flatMap((one) => childrenOf(one, signature, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, signature, 'X509Data'))
    .flatMap((data) => childrenOf(data, signature, 'X509Certificate'))
    .slice(0, 3)
    .flatMap(({ text }) => readCertificates(text).certificates)
  const isKnown = named.some(({ fingerprint }) =>
    certificates.some((certificate) => certificate.fingerprint === fingerprint),
  )
  return named.length > 0 && !isKnown
    ? finding(
        'The signature was made with a certificate that this service does not know.',
        'The identity provider has changed its certificate: refresh its metadata here, or add the new certificate.',
      )
    : finding(
        'The signature does not fit what was sent.',
        'Check that the certificate here is the one the identity provider signs with, and that nothing on the way changes the response.',
      )
}
