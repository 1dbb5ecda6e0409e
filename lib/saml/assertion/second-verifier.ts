import { isKnownToNodeSaml } from '../second-verifier/known-forms.ts'
import { hasSameContent } from '../second-verifier/same-content.ts'
import { keepSignedParts } from '../second-verifier/signed-parts.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { getPlainAssertion } from './envelope.ts'
import { findSignatures } from './signatures.ts'
import { type Check, createFinding, type Expected, type ValidationContext } from './validation-context.ts'

const refused = createFinding(
  'A second, independent check of the signature did not accept the response.',
  'Have the identity provider sign the whole response or assertion in the usual form: rsa-sha256, exclusive canonicalization, a reference by ID. If it does, report this response as a security problem.',
)

const different = createFinding(
  'Two independent checks of the signature read different content from the response.',
  'Do not accept this response. Report it as a security problem.',
)

/** Compares what was read with what node-saml reads from the same message with the same certificates. */
export const secondVerifierAgrees: Check = async (dossier, expected) => {
  const { signedInfos } = dossier
  if (signedInfos.length > 0 && !signedInfos.some(isKnownToNodeSaml)) return undefined
  for (const [ours, theirs] of await readings(dossier, expected)) {
    if (!theirs) return refused
    if (!hasSameContent(ours, theirs)) return different
  }
  return undefined
}

type Readings = readonly (readonly [ours: XmlElement, theirs: XmlElement | undefined])[]

/** Each signed part twice. An encrypted assertion is handed on decrypted, so node-saml never gets a private key. */
const readings = async (dossier: ValidationContext, expected: Expected): Promise<Readings> => {
  const { readAssertionWithNodeSaml, readSignedRootWithNodeSaml } = await import(
    '../second-verifier/node-saml.ts'
  )
  const { text, received, decrypted, response, assertion, isResponseSigned } = dossier
  const { serviceEntityId, assertionUrl, certificates } = expected
  const pems = certificates.map(({ pem }) => pem)
  const isAssertionSigned = findSignatures(dossier.sent).length > 0
  const read = (xml: string, mustSign: { response: boolean; assertion: boolean }) =>
    readAssertionWithNodeSaml(xml, {
      ...{ pems, serviceEntityId, assertionUrl, mustSign },
      audience: writtenAudience(assertion, serviceEntityId),
    })
  const signedParts = keepSignedParts(
    text,
    received,
    isResponseSigned ? received : getPlainAssertion(received),
  )
  if (decrypted === undefined)
    return [
      [assertion, await read(signedParts, { response: isResponseSigned, assertion: isAssertionSigned })],
    ]
  const all: (readonly [XmlElement, XmlElement | undefined])[] = []
  if (isResponseSigned) all.push([response, await readSignedRootWithNodeSaml(signedParts, pems)])
  if (isAssertionSigned) {
    const root = readXml(decrypted)
    // This response declares no namespace, since inclusive canonicalization would sign it.
    const around = `<Response>${keepSignedParts(decrypted, root, root)}</Response>`
    all.push([assertion, await read(around, { response: false, assertion: true })])
  }
  return all
}

/** The audience of this service with the blanks around it, which node-saml compares as well. */
const writtenAudience = (believed: XmlElement, serviceEntityId: string): string => {
  const path = ['Conditions', 'AudienceRestriction', 'Audience']
  const audiences = path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap((element) => getChildren(element, namespaces.assertion, name)),
    [believed],
  )
  return audiences.find(({ text }) => text.trim() === serviceEntityId)?.text ?? serviceEntityId
}
