import { type InContext, readInContext } from '../xml/context.ts'
import { decodeXml } from '../xml/decode.ts'
import type { XmlElement } from '../xml/element.ts'
import { XmlError } from '../xml/xml-error.ts'
import { DecryptionError, decryptElement } from './decryption.ts'
import { checkElementSize, getEncryptedAssertion, getPlainAssertion } from './envelope.ts'
import { checkSignatureForm, findSignatures, isWholeAssertion } from './signatures.ts'
import { type Check, createFinding, type Finding, type ValidationContext } from './validation-context.ts'

/** Decrypts the assertion if it is encrypted. The result must pass the checks that plain assertions pass earlier. */
export const decryptAssertion: Check = async (context, expectations) => {
  const encrypted = getEncryptedAssertion(context.response)
  if (!encrypted) {
    context.sent = getPlainAssertion(context.response) ?? context.sent
    return undefined
  }
  const keys = await expectations.decryptionKeys()
  if (keys.length === 0) return missingKey
  try {
    const { text, element } = readDecryptedText(
      decodeXml(decryptElement(encrypted, keys)),
      encrypted,
      context,
    )
    context.decrypted = text
    context.sent = element
  } catch (error) {
    return toDecryptionFinding(error)
  }
  return (
    checkElementSize(context.sent) ??
    (isWholeAssertion(context.sent) ? checkSignatureForm(context.sent) : findings.data)
  )
}

/**
 * The encrypted text may use prefixes that only the response declares. If the assertion is signed, its own signature
 * protects their meaning, so the declarations of the response as it was sent are used. If only the response is signed,
 * just the declarations in its signed octets are used.
 */
const readDecryptedText = (text: string, encrypted: XmlElement, context: ValidationContext): InContext => {
  const asSent = readInContext(text, (getEncryptedAssertion(context.received) ?? encrypted).scope)
  const usesSentDeclarations = findSignatures(asSent.element).length > 0 || !context.isResponseSigned
  return usesSentDeclarations ? asSent : readInContext(text, encrypted.scope)
}

const missingKey = createFinding(
  'The assertion is encrypted, but this service has no key to decrypt it.',
  'Set an SP key (sp_certificate_key) for the provider here, or turn encryption off at the identity provider.',
)

/** Returns the finding for a failed decryption. Throws all other errors again. */
export const toDecryptionFinding = (error: unknown): Finding => {
  if (error instanceof DecryptionError) return nameAlgorithm(findings[error.part], error.algorithm)
  // Wrong cipher text can have valid padding by chance, and then decrypts to text that is not XML.
  if (error instanceof XmlError) return findings.data
  throw error
}

/** What people call algorithms whose names say less. */
const commonNames = new Map([
  ['tripledes-cbc', '3DES (tripledes-cbc)'],
  ['rsa-1_5', 'RSA-1.5 (rsa-1_5)'],
])

/** Adds the algorithm to what is wrong, as far as it is one. Anyone can send a response, so no other text is shown. */
const nameAlgorithm = (finding: Finding, algorithm: string | undefined): Finding => {
  const [, name] = /#([a-z][\w-]{0,40})$/i.exec(algorithm ?? '') ?? []
  if (name === undefined) return finding
  return { ...finding, problem: finding.problem.replace(/\.$/, `: ${commonNames.get(name) ?? name}.`) }
}

const findings: Readonly<Record<DecryptionError['part'], Finding>> = {
  form: createFinding(
    'The encrypted assertion has an unsupported form.',
    'Encrypt it only for this service, with the key inside the encrypted data or next to it.',
  ),
  'key-algorithm': createFinding(
    'The key of the encrypted assertion is encrypted with an unsupported algorithm.',
    'Set the identity provider to use RSA-OAEP (rsa-oaep-mgf1p, or rsa-oaep of XML Encryption 1.1), and not RSA-1.5.',
  ),
  'data-algorithm': createFinding(
    'The assertion is encrypted with an unsupported algorithm.',
    'Set the identity provider to use AES-256-GCM (or AES-128-GCM, or AES in CBC mode).',
  ),
  key: createFinding(
    'The assertion is encrypted for a key that this service does not have.',
    'Set the certificate at the identity provider to the one in the metadata of this service.',
  ),
  // The key could be decrypted, so the certificates are right.
  data: createFinding(
    'The encrypted assertion could not be decrypted.',
    'Set the identity provider to encrypt one whole assertion, as XML in UTF-8. Nothing may change it on the way.',
  ),
}
