import { decodeXml } from '../xml/decode.ts'
import { XmlRefused } from '../xml/faults.ts'
import { readXml } from '../xml/read.ts'
import { DecryptionRefused, decryptElement } from './decryption.ts'
import { type Finding, finding, type Look } from './dossier.ts'
import { encryptedAssertionOf, plainAssertionOf, sizeFinding } from './envelope.ts'
import { isWholeAssertion, unsoundness } from './signatures.ts'

/** Opens the assertion where it is encrypted, and looks at it as at one that isn't. */
export const canBeDecrypted: Look = async (dossier, expected) => {
  const encrypted = encryptedAssertionOf(dossier.response)
  if (!encrypted) {
    dossier.sent = plainAssertionOf(dossier.response) ?? dossier.sent
    return undefined
  }
  const keys = await expected.decryptionKeys()
  if (keys.length === 0) return withoutKey
  try {
    dossier.decrypted = decodeXml(decryptElement(encrypted, keys))
    dossier.sent = readXml(dossier.decrypted)
  } catch (error) {
    return findingOf(error)
  }
  return (
    sizeFinding(dossier.sent) ?? (isWholeAssertion(dossier.sent) ? unsoundness(dossier.sent) : findings.data)
  )
}

const withoutKey = finding(
  'The assertion is encrypted, but this service has no key to decrypt it with.',
  'Give the provider here an SP key (sp_certificate_key), or turn encryption off at the identity provider.',
)

/** What to tell of something encrypted that isn't taken; throws what is no refusal. */
export const findingOf = (error: unknown): Finding => {
  if (error instanceof DecryptionRefused) return findings[error.part]
  // Also what a padding that happens to be right leaves.
  if (error instanceof XmlRefused) return findings.data
  throw error
}

const wrongKey = finding(
  'The assertion is encrypted for a key that this service does not have.',
  'Give the identity provider the certificate that the metadata of this service publishes.',
)

const findings: Readonly<Record<DecryptionRefused['part'], Finding>> = {
  form: finding(
    'The encrypted assertion has a form that is not read.',
    'Encrypt for this service alone, with the key inside of the encrypted data or beside it.',
  ),
  'key-algorithm': finding(
    'The key of the encrypted assertion is encrypted in a way that is not taken.',
    'Have the identity provider use RSA-OAEP, with one hash for all of it, and not RSA-1.5.',
  ),
  'data-algorithm': finding(
    'The assertion is encrypted by an algorithm that is not taken.',
    'Have the identity provider use AES-256-GCM (or AES-128-GCM, or AES in CBC mode).',
  ),
  key: wrongKey,
  data: finding('The encrypted assertion could not be decrypted.', wrongKey.remedy),
}
