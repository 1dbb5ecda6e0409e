import { certificatesPerField } from '../../core/limits.ts'
import { type Certificate, readCertificates, removeDuplicateCertificates } from '../certificates.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { createMetadataError } from './faults.ts'

const { metadata, signature } = namespaces

/**
 * The certificates that a role signs with (SAML Metadata 2.4.1.1): of each key that is for signing or doesn't say what
 * it is for. One that can't be relied on is left out, as long as there is another; so it is with one that is not the
 * key's own but that of its issuer.
 *
 * @throws AppError `invalid_request` when none is left.
 */
export const readSigningCertificates = (role: XmlElement): readonly Certificate[] => {
  const data = getChildren(role, metadata, 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') || 'signing') === 'signing')
    .flatMap((descriptor) => getChildren(descriptor, signature, 'KeyInfo'))
    .flatMap((info) => getChildren(info, signature, 'X509Data'))
  const readings = data.map((entry) =>
    getChildren(entry, signature, 'X509Certificate').map(({ text }) => readCertificates(text)),
  )
  const certificates = removeDuplicateCertificates(
    readings.flatMap((entry) => leaves(bounded(entry.flatMap((reading) => reading.certificates)))),
  )
  if (certificates.length === 0) {
    const [fault] = readings.flat().flatMap(({ faults }) => faults)
    throw createMetadataError(
      fault === undefined
        ? 'leads to an identity provider that names no certificate to verify its signatures with'
        : `leads to an identity provider whose signing certificate can't be used: it ${fault}`,
    )
  }
  return bounded(certificates)
}

/** Each once. @throws AppError `invalid_request` when there are too many; each is held against each. */
const bounded = (certificates: readonly Certificate[]): readonly Certificate[] => {
  const distinct = removeDuplicateCertificates(certificates)
  if (distinct.length > certificatesPerField)
    throw createMetadataError(
      `leads to an identity provider with more than ${certificatesPerField} certificates`,
    )
  return distinct
}

/** Those that issued none of the others: a chain may stand along with a certificate. */
const leaves = (certificates: readonly Certificate[]): readonly Certificate[] =>
  certificates.filter((one) => !certificates.some((other) => hasIssued(one, other)))

/**
 * Whether one is the authority of another, by its signature as well: those of a roll-over have one name, and no more to
 * do with each other. Two of the same key are equals.
 */
const hasIssued = (one: Certificate, other: Certificate): boolean =>
  one.keyFingerprint !== other.keyFingerprint &&
  other.x509.checkIssued(one.x509) &&
  other.x509.verify(one.x509.publicKey)
