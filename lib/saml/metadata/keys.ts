import { certificatesPerField } from '../../limits/saml-limits.ts'
import { type Certificate, readCertificates, removeDuplicateCertificates } from '../certificates.ts'
import { getChildren, namespaces, type XmlElement } from '../xml/element.ts'
import { MetadataError } from './metadata-error.ts'

const { metadata, signature } = namespaces

/**
 * Reads the signing certificates of a role (SAML Metadata 2.4.1.1): those of keys for signing, or without a stated use.
 * Invalid and weak certificates are left out if there are others, and so are the issuers of other certificates.
 *
 * @throws MetadataError if no certificate remains, or there are too many.
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
    readings.flatMap((entry) =>
      removeIssuers(limitCertificates(entry.flatMap((reading) => reading.certificates))),
    ),
  )
  if (certificates.length === 0) {
    const [error] = readings.flat().flatMap(({ errors }) => errors)
    throw new MetadataError(
      error === undefined
        ? 'leads to an identity provider without a certificate to verify its signatures'
        : `leads to an identity provider whose signing certificate cannot be used: it ${error}`,
    )
  }
  return limitCertificates(certificates)
}

/** Removes duplicates, and limits the number because each certificate is compared with each other one. */
const limitCertificates = (certificates: readonly Certificate[]): readonly Certificate[] => {
  const distinct = removeDuplicateCertificates(certificates)
  if (distinct.length > certificatesPerField)
    throw new MetadataError(
      `leads to an identity provider with more than ${certificatesPerField} certificates`,
    )
  return distinct
}

/** Metadata may contain the chain of a certificate. Only the certificate itself signs messages. */
const removeIssuers = (certificates: readonly Certificate[]): readonly Certificate[] =>
  certificates.filter((one) => !certificates.some((other) => hasIssued(one, other)))

/**
 * Whether one certificate issued another one. This includes the signature, because the old and the new certificate of a
 * rotation often have the same name. Certificates of the same key are never issuer and subject.
 */
const hasIssued = (one: Certificate, other: Certificate): boolean =>
  one.keyFingerprint !== other.keyFingerprint &&
  other.x509.checkIssued(one.x509) &&
  other.x509.verify(one.x509.publicKey)
