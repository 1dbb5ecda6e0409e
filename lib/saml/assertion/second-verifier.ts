import { isKnownToNodeSaml } from '../second-verifier/known-forms.ts'
import type { RequiredSignatures } from '../second-verifier/node-saml.ts'
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
export const secondVerifierAgrees: Check = async (context, expected) => {
  const { signedInfos } = context
  if (signedInfos.length > 0 && !signedInfos.some(isKnownToNodeSaml)) return undefined
  const readings = await readTwice(context, expected)
  if (readings.length === 0 || readings.some(({ theirs }) => !theirs)) return refused
  return readings.every(({ ours, theirs }) => theirs && hasSameContent(ours, theirs)) ? undefined : different
}

/** A signed part as it was read here, and as node-saml read it if it accepted its signature. */
interface Reading {
  readonly ours: XmlElement
  readonly theirs: XmlElement | undefined
}

/** Reads each signed part. An encrypted assertion is handed on decrypted, so node-saml never gets a private key. */
const readTwice = async (context: ValidationContext, expected: Expected): Promise<readonly Reading[]> => {
  const { readAssertionWithNodeSaml, readSignedRootWithNodeSaml } = await import(
    '../second-verifier/node-saml.ts'
  )
  const { text, received, decrypted, response, assertion, isResponseSigned } = context
  const { serviceEntityId, assertionUrl, certificates } = expected
  const pems = certificates.map(({ pem }) => pem)
  const isAssertionSigned = findSignatures(context.sent).length > 0
  const read = (xml: string, requiredSignatures: RequiredSignatures) =>
    readAssertionWithNodeSaml(xml, {
      ...{ pems, serviceEntityId, assertionUrl, requiredSignatures },
      audience: writtenAudience(assertion, serviceEntityId),
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
  const all: Reading[] = []
  if (isResponseSigned)
    all.push({ ours: response, theirs: await readSignedRootWithNodeSaml(signedParts, pems) })
  if (isAssertionSigned) {
    const root = readXml(decrypted)
    // This response declares no namespace, since inclusive canonicalization would sign it.
    const around = `<Response>${keepSignedParts(decrypted, root, root)}</Response>`
    all.push({ ours: assertion, theirs: await read(around, { response: false, assertion: true }) })
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
