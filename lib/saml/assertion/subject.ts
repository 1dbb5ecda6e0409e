import { samlNameIdBytes } from '../../core/limits.ts'
import { childrenOf, is, namespaces, type XmlElement } from '../xml/element.ts'
import { readXml } from '../xml/read.ts'
import { decryptElement } from './decryption.ts'
import { type Expected, type Finding, finding, type Look } from './dossier.ts'
import { findingOf } from './encrypted.ts'
import { one } from './parts.ts'
import { noTime, outsideOf } from './validity.ts'

/* Whom the assertion is about, and that it is whoever brings it. */

const { assertion } = namespaces

export const namesUser: Look = async (dossier, expected) => {
  const subject = one(dossier.assertion, 'Subject')
  const encrypted = one(subject, 'EncryptedID')
  const found = encrypted ? await decryptedNameId(encrypted, expected) : one(subject, 'NameID')
  if (found && 'sentence' in found) return found
  const isPlain = found && is(found, assertion, 'NameID') && found.children.length === 0
  if (!isPlain || found.text === '' || (encrypted && one(subject, 'NameID')))
    return finding(
      'The assertion does not name the user.',
      'Configure a NameID at the identity provider: an id that stays the same for each user, and is not empty.',
    )
  const name = found.text
  if (name !== name.trim() || /\p{C}/u.test(name) || Buffer.byteLength(name) > samlNameIdBytes)
    return finding(
      'The assertion names the user in a way that is not taken.',
      'The NameID must not begin or end with blanks, hold control characters, or be very long.',
    )
  dossier.nameId = found
  return undefined
}

const decryptedNameId = async (
  encrypted: XmlElement,
  { decryptionKeys }: Expected,
): Promise<XmlElement | Finding> => {
  try {
    return readXml(decryptElement(encrypted, await decryptionKeys()).toString())
  } catch (error) {
    return findingOf(error)
  }
}

export const namesLastingly: Look = ({ nameId }) =>
  nameId.attributes.get('Format') === 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    ? finding(
        'The identity provider names the user by an id that is another one each time.',
        'Use a NameID of the format persistent (or emailAddress) for this service instead of transient.',
      )
    : undefined

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** The one confirmation that whoever brings the assertion is its subject. */
export const confirmationOf = (believed: XmlElement): XmlElement | undefined => {
  const subject = one(believed, 'Subject')
  const found = subject ? childrenOf(subject, assertion, 'SubjectConfirmation') : []
  const [only, another] = found.filter(({ attributes }) => attributes.get('Method') === bearer)
  return another ? undefined : one(only, 'SubjectConfirmationData')
}

export const isConfirmed: Look = ({ assertion: believed }) =>
  confirmationOf(believed)
    ? undefined
    : finding(
        'The assertion does not say that its bearer is the user.',
        'Use the Web Browser SSO profile: one SubjectConfirmation with the method bearer, and its data.',
      )

export const isConfirmedHere: Look = ({ assertion: believed }, { assertionUrl }) =>
  confirmationOf(believed)?.attributes.get('Recipient') === assertionUrl
    ? undefined
    : finding(
        'The assertion was made for another address than the one it came to.',
        `Set the assertion consumer service (ACS, reply URL) and the recipient at the identity provider to ${assertionUrl}`,
      )

export const isConfirmedForRequest: Look = ({ assertion: believed }, { request }) =>
  request === undefined || confirmationOf(believed)?.attributes.get('InResponseTo') === request.id
    ? undefined
    : finding(
        'The assertion was not made for the sign-in that was begun here.',
        'Have the identity provider set InResponseTo in the SubjectConfirmationData as well.',
      )

export const isConfirmedNow: Look = ({ assertion: believed }, { nowMs }) => {
  const data = confirmationOf(believed)
  return data?.attributes.has('NotOnOrAfter') ? outsideOf(data, nowMs) : noTime
}
