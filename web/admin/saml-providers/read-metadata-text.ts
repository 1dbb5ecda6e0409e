import type { ParsedSAMLIDPMetadata } from '../../../lib/client/generated/models.ts'

const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata'
const signature = 'http://www.w3.org/2000/09/xmldsig#'
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

type MetadataProblem = 'unreadable' | 'noRedirect' | 'noCertificate'

/**
 * Reads what an identity provider says about itself from metadata that the administrator has as a text. The administrator
 * trusts it, and the service checks each value when the provider is created.
 */
export const readMetadataText = (text: string): ParsedSAMLIDPMetadata | MetadataProblem => {
  // For most other texts, browsers build an error page whose styles the policy of this page blocks.
  if (!text.includes('IDPSSODescriptor')) return 'unreadable'
  const document = new DOMParser().parseFromString(text, 'application/xml')
  const role = document.getElementsByTagNameNS(metadata, 'IDPSSODescriptor')[0]
  const entityId = role?.closest('EntityDescriptor')?.getAttribute('entityID')
  if (!role || !entityId) return 'unreadable'
  const ssoUrl = findLocation(role, 'SingleSignOnService')
  if (!ssoUrl) return 'noRedirect'
  const certificates = readCertificates(role)
  if (certificates.length === 0) return 'noCertificate'
  const sloUrl = findLocation(role, 'SingleLogoutService')
  return {
    entity_id: entityId,
    sso_url: ssoUrl,
    certificate: certificates.join(''),
    ...(sloUrl ? { slo_url: sloUrl } : {}),
  }
}

const findLocation = (role: Element, service: string): string | null | undefined =>
  [...role.getElementsByTagNameNS(metadata, service)]
    .find((element) => element.getAttribute('Binding') === redirect)
    ?.getAttribute('Location')
    ?.trim()

/** The certificates of keys for signing, or without a stated use, each once. */
const readCertificates = (role: Element): readonly string[] => {
  const texts = [...role.getElementsByTagNameNS(metadata, 'KeyDescriptor')]
    .filter((key) => (key.getAttribute('use') || 'signing') === 'signing')
    .flatMap((key) => [...key.getElementsByTagNameNS(signature, 'X509Certificate')])
    .map((element) => (element.textContent ?? '').replace(/\s/g, ''))
  return [...new Set(texts)].filter(Boolean).map(toPem)
}

const toPem = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
