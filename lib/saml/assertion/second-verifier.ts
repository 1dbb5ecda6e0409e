import { isKnownToNodeSaml } from '../second-verifier/known-forms.ts'
import type { RequiredSignatures } from '../second-verifier/node-saml.ts'
import { hasSameContent } from '../second-verifier/same-content.ts'
import { keepSignedParts } from '../second-verifier/signed-parts.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
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
