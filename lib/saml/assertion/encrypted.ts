import { type InContext, readInContext } from '../xml/context.ts'
import { decodeXml } from '../xml/decode.ts'
import type { XmlElement } from '../xml/element.ts'
import { XmlRefused } from '../xml/faults.ts'
import { DecryptionRefused, decryptElement } from './decryption.ts'
import { getEncryptedAssertion, getPlainAssertion, getSizeFinding } from './envelope.ts'
import { findSignatures, findUnsoundness, isWholeAssertion } from './signatures.ts'
import { type Check, createFinding, type Finding, type ValidationContext } from './validation-context.ts'

/** Opens the assertion where it is encrypted, and looks at it as at one that isn't. */
export const canBeDecrypted: Check = async (dossier, expected) => {
  const encrypted = getEncryptedAssertion(dossier.response)
  if (!encrypted) {
    dossier.sent = getPlainAssertion(dossier.response) ?? dossier.sent
    return undefined
  }
  const keys = await expected.decryptionKeys()
  if (keys.length === 0) return withoutKey
  try {
    const { text, element } = readInPlace(decodeXml(decryptElement(encrypted, keys)), encrypted, dossier)
    dossier.decrypted = text
    dossier.sent = element
  } catch (error) {
    return getDecryptionFinding(error)
  }
  return (
    getSizeFinding(dossier.sent) ??
    (isWholeAssertion(dossier.sent) ? findUnsoundness(dossier.sent) : findings.data)
  )
}

/**
 * Prefixes may be declared around what was encrypted, by the response as it was sent: then the assertion's own signature
 * says that they mean what was signed. Where it has none, that of the response has to vouch for it, and what no octets
 * of that declare is declared by nobody.
 */
const readInPlace = (plain: string, encrypted: XmlElement, dossier: ValidationContext): InContext => {
  const asSent = readInContext(plain, (getEncryptedAssertion(dossier.received) ?? encrypted).scope)
  const isVouchedFor = findSignatures(asSent.element).length > 0 || !dossier.isResponseSigned
  return isVouchedFor ? asSent : readInContext(plain, encrypted.scope)
}

const withoutKey = createFinding(
  'The assertion is encrypted, but this service has no key to decrypt it with.',
  'Give the provider here an SP key (sp_certificate_key), or turn encryption off at the identity provider.',
)

/** What to tell of something encrypted that isn't taken; throws what is no refusal. */
export const getDecryptionFinding = (error: unknown): Finding => {
  if (error instanceof DecryptionRefused) return findings[error.part]
  // Also what a padding that happens to be right leaves.
  if (error instanceof XmlRefused) return findings.data
  throw error
}

const findings: Readonly<Record<DecryptionRefused['part'], Finding>> = {
  form: createFinding(
    'The encrypted assertion has a form that is not read.',
    'Encrypt for this service alone, with the key inside of the encrypted data or beside it.',
  ),
  'key-algorithm': createFinding(
    'The key of the encrypted assertion is encrypted in a way that is not taken.',
    'Have the identity provider use RSA-OAEP (rsa-oaep-mgf1p, or rsa-oaep of XML Encryption 1.1), and not RSA-1.5.',
  ),
  'data-algorithm': createFinding(
    'The assertion is encrypted by an algorithm that is not taken.',
    'Have the identity provider use AES-256-GCM (or AES-128-GCM, or AES in CBC mode).',
  ),
  key: createFinding(
    'The assertion is encrypted for a key that this service does not have.',
    'Give the identity provider the certificate that the metadata of this service publishes.',
  ),
  // The key was the right one: there is nothing to change about certificates.
  data: createFinding(
    'The encrypted assertion could not be decrypted.',
    'Have the identity provider encrypt one assertion as a whole, as XML in UTF-8, and nothing on the way change it.',
  ),
}
