import { samlNameIdBytes } from '../../../../kernel/limits/saml-limits.ts'
import { findOnlyChild, isElement, namespaces, type XmlElement } from '../xml/element.ts'
import { trimIndentation } from '../xml/text.ts'
import { toDecryptionFinding } from './decrypt-assertion.ts'
import { readDecrypted } from './decryption.ts'
import {
  type Check,
  createFinding,
  type Expectations,
  type Finding,
  readIdentifier,
} from './validation-context.ts'

/* Checks of the subject: the user that the assertion is about. */

export const checkNameId: Check = async (context, expectations) => {
  const subject = findOnlyChild(context.assertion, 'Subject')
  const encrypted = findOnlyChild(subject, 'EncryptedID')
  const found = encrypted ? await decryptNameId(encrypted, expectations) : findOnlyChild(subject, 'NameID')
  if (found && 'problem' in found) return found
  const isText = found && isElement(found, namespaces.assertion, 'NameID') && found.children.length === 0
  const name = isText ? trimIndentation(found.text) : ''
  if (!isText || name === '' || (encrypted && findOnlyChild(subject, 'NameID')))
    return createFinding(
      'The assertion does not name the user.',
      'Configure a NameID at the identity provider: an ID that is not empty and stays the same for each user.',
    )
  if (name !== name.trim() || /[\p{Cc}\p{Cf}]/u.test(name) || Buffer.byteLength(name) > samlNameIdBytes)
    return createFinding(
      'The NameID in the assertion is not valid.',
      'The NameID must not start or end with spaces, contain invisible characters, or be very long.',
    )
  context.nameId = { ...found, text: name }
  return undefined
}

const decryptNameId = async (
  encrypted: XmlElement,
  { decryptionKeys }: Expectations,
): Promise<XmlElement | Finding> => {
  try {
    return readDecrypted(encrypted, await decryptionKeys()).element
  } catch (error) {
    return toDecryptionFinding(error)
  }
}

const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

export const checkNameIdFormat: Check = (context, { nameIdAttribute }) => {
  if (context.nameId.attributes.get('Format') !== transient) return undefined
  if (nameIdAttribute === null)
    return createFinding(
      'The identity provider sends a NameID that changes at each sign-in.',
      'Set its format to persistent (or emailAddress) instead of transient, or set nameid_attribute here to an attribute that stays the same.',
    )
  context.identifier = readIdentifier(context.assertion, nameIdAttribute)
  return context.identifier
    ? undefined
    : createFinding(
        'The identity provider sends a NameID that changes at each sign-in, and not the attribute that identifies the user.',
        `Set the identity provider to send the attribute ${nameIdAttribute} (nameid_attribute here) once, with exactly this Name and one value.`,
      )
}
