import { readFileSync } from 'node:fs'
import { SignedXml } from 'xml-crypto'
import { type TestCertificate, wrapBase64 } from './certificates.ts'

export type FixtureName =
  | 'adfs'
  | 'aggregate'
  | 'entra'
  | 'google'
  | 'keycloak'
  | 'okta'
  | 'onelogin'
  | 'post-only'
  | 'shibboleth'
  | 'simplesamlphp'

export interface FixtureCertificates {
  readonly signing: TestCertificate
  readonly signing2: TestCertificate
  /** A certificate that must not be used for signatures. */
  readonly other: TestCertificate
}

/** Returns metadata in the format of this identity provider. */
export const fixture = (
  name: FixtureName,
  certificates: FixtureCertificates,
  validUntil = new Date(Date.now() + 24 * 60 * 60_000).toISOString(),
): string =>
  readFileSync(new URL(`../connections/saml/fixtures/${name}.xml`, import.meta.url), 'utf8')
    .replaceAll('{{validUntil}}', validUntil)
    .replaceAll(/\{\{(\w+)(:wrapped)?\}\}/g, (_, which: keyof FixtureCertificates, isWrapped?: string) =>
      isWrapped ? wrapBase64(certificates[which].base64) : certificates[which].base64,
    )

export interface MetadataFacts {
  readonly entityId?: string
  readonly ssoUrl?: string
  readonly sloUrl?: string
  readonly certificates: readonly TestCertificate[]
  readonly attributes?: string
}

/** Creates minimal metadata. */
export const plainMetadata = ({
  entityId = 'https://idp.example.com/metadata',
  ssoUrl = 'https://idp.example.com/sso',
  sloUrl,
  certificates,
  attributes = '',
}: MetadataFacts): string =>
  [
    `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}" ID="_1" ${attributes}>`,
    '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    ...certificates.map(
      ({ base64 }) =>
        `<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${base64}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
    ),
    sloUrl === undefined
      ? ''
      : `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${sloUrl}"/>`,
    `<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/>`,
    '</IDPSSODescriptor></EntityDescriptor>',
  ].join('')

export interface SigningOptions {
  /** The element to sign. Default: the root. */
  readonly xpath?: string
  readonly signatureAlgorithm?: string
  readonly digestAlgorithm?: string
}

/** Adds an enveloped signature to the metadata, as the first child of the signed element. */
export const signMetadata = (
  xml: string,
  { keyPem, pem }: TestCertificate,
  options: SigningOptions = {},
): string => {
  const xpath = options.xpath ?? '/*'
  const signed = new SignedXml({
    privateKey: keyPem,
    publicCert: pem,
    signatureAlgorithm: options.signatureAlgorithm ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  })
  signed.addReference({
    xpath,
    digestAlgorithm: options.digestAlgorithm ?? 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  })
  signed.computeSignature(xml, { prefix: 'ds', location: { reference: xpath, action: 'prepend' } })
  return signed.getSignedXml()
}
