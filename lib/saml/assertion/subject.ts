import { samlNameIdBytes } from '../../core/limits.ts'
import { withoutIndent } from '../pretty-print.ts'
import { isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { readDecrypted } from './decryption.ts'
import { getDecryptionFinding } from './encrypted.ts'
import { readIdentifier } from './identifier.ts'
import { findOnlyChild } from './parts.ts'
import { type Check, createFinding, type Expected, type Finding } from './validation-context.ts'

/* Whom the assertion is about. */

const { assertion } = namespaces

export const hasNameId: Check = async (dossier, expected) => {
  const subject = findOnlyChild(dossier.assertion, 'Subject')
  const encrypted = findOnlyChild(subject, 'EncryptedID')
  const found = encrypted ? await decryptedNameId(encrypted, expected) : findOnlyChild(subject, 'NameID')
  if (found && 'sentence' in found) return found
  const isPlain = found && isElement(found, assertion, 'NameID') && found.children.length === 0
  const name = isPlain ? withoutIndent(found.text) : ''
  if (!isPlain || name === '' || (encrypted && findOnlyChild(subject, 'NameID')))
    return createFinding(
      'The assertion does not name the user.',
      'Configure a NameID at the identity provider: an id that stays the same for each user, and is not empty.',
    )
  if (name !== name.trim() || /[\p{Cc}\p{Cf}]/u.test(name) || Buffer.byteLength(name) > samlNameIdBytes)
    return createFinding(
      'The assertion names the user in a way that is not taken.',
      'The NameID must not begin or end with blanks, hold characters that nobody sees, or be very long.',
    )
  dossier.nameId = { ...found, text: name }
  return undefined
}

const decryptedNameId = async (
  encrypted: XmlElement,
  { decryptionKeys }: Expected,
): Promise<XmlElement | Finding> => {
  try {
    return readDecrypted(encrypted, await decryptionKeys()).element
  } catch (error) {
    return getDecryptionFinding(error)
  }
}

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

export const hasLastingNameId: Check = (dossier, { nameIdAttribute }) => {
  if (dossier.nameId.attributes.get('Format') !== transient) return undefined
  if (nameIdAttribute === null)
    return createFinding(
      'The identity provider names the user by an id that is another one each time.',
      'Use a NameID of the format persistent (or emailAddress) for this service instead of transient, or name here, as nameid_attribute, an attribute that stays the same.',
    )
  dossier.identifier = readIdentifier(dossier.assertion, nameIdAttribute)
  return dossier.identifier
    ? undefined
    : createFinding(
        'The identity provider names the user by an id that is another one each time, and does not send the attribute that says who it is.',
        `Have it send the attribute ${nameIdAttribute} (nameid_attribute here), by exactly this Name, once and with one value.`,
      )
}
