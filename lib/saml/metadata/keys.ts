import { certificatesPerField } from '../../core/limits.ts'
import { type Certificate, distinctCertificates, readCertificates } from '../certificates.ts'
import { childrenOf, namespaces, type XmlElement } from '../xml/element.ts'
import { metadataRefused } from './faults.ts'

const { metadata, signature } = namespaces

/**
 * The certificates that a role signs with (SAML Metadata 2.4.1.1): of each key that is for signing or doesn't say what
 * it is for. One that can't be relied on is left out, as long as there is another; so it is with one that is not the
 * key's own but that of its issuer.
 *
 * @throws AppError `invalid_request` when none is left.
 */
export const signingCertificates = (role: XmlElement): readonly Certificate[] => {
  const data = childrenOf(role, metadata, 'KeyDescriptor')
    .filter(({ attributes }) => (attributes.get('use') || 'signing') === 'signing')
    .flatMap((descriptor) => childrenOf(descriptor, signature, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, signature, 'X509Data'))
  const readings = data.map((entry) =>
    childrenOf(entry, signature, 'X509Certificate').map(({ text }) => readCertificates(text)),
  )
  const found = readings.flatMap((entry) => leaves(entry.flatMap(({ certificates }) => certificates)))
  const certificates = distinctCertificates(found)
  if (certificates.length === 0) {
    const [fault] = readings.flat().flatMap(({ faults }) => faults)
    throw metadataRefused(
      fault === undefined
        ? 'leads to an identity provider that names no certificate to verify its signatures with'
        : `leads to an identity provider whose signing certificate can't be used: it ${fault}`,
    )
  }
  if (certificates.length > certificatesPerField)
    throw metadataRefused(`leads to an identity provider with more than ${certificatesPerField} certificates`)
  return certificates
}

/** Those that issued none of the others: a chain may stand along with a certificate. */
const leaves = (certificates: readonly Certificate[]): readonly Certificate[] =>
  certificates.filter(({ x509, fingerprint }) =>
    certificates.every((other) => other.fingerprint === fingerprint || !other.x509.checkIssued(x509)),
  )
