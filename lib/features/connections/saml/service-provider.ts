import { type Certificate, toBareBase64 } from './certificates.ts'
import { escapeXml } from './xml/text.ts'
/** The URLs of this service for one identity provider. */
export interface ServiceUrls {
  /** Starts a sign-out in the browser. */
  readonly logout: string
  /** The metadata of this service. It is also the entity ID. */
  readonly metadata: string
  /** The assertion consumer service (ACS). */
  readonly assertion: string
  /** The single logout service. */
  readonly logoutReturn: string
}

/** Builds the URLs from the configuration only. They never depend on a request, which an attacker could influence. */
export const getServiceUrls = (publicUrl: string, providerId: number): ServiceUrls => {
  const base = `${publicUrl}/api/2/auth/saml/${providerId}`
  return {
    logout: `${base}/sls`,
    metadata: `${base}/metadata`,
    assertion: `${base}/assertion`,
    logoutReturn: `${base}/sls/return`,
  }
}

/** The content of the metadata of this service. */
interface ServiceMetadataParameters {
  readonly urls: ServiceUrls
  /** The certificates that sign requests, now or soon. Empty if requests are not signed. */
  readonly signing: readonly Certificate[]
  /** The certificates whose private keys this service has. */
  readonly encryption: readonly Certificate[]
  readonly nameIdFormat: string
}

const buildBinding = (name: string): string => `urn:oasis:names:tc:SAML:2.0:bindings:${name}`

/** This format can be requested, but it is not the format of a NameID (SAML Core 8.3.7 and 3.4.1.1). */
const encryptedFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted'

/** Builds the metadata for an identity provider (SAML Metadata 2.4.4). The schema defines the order of the elements. */
export const buildServiceMetadata = ({
  urls,
  signing,
  encryption,
  nameIdFormat,
}: ServiceMetadataParameters): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"' +
      ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeXml(urls.metadata)}">`,
    `  <md:SPSSODescriptor AuthnRequestsSigned="${signing.length > 0}" WantAssertionsSigned="true"` +
      ' protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    ...signing.map((certificate) => buildKeyDescriptor('signing', certificate)),
    ...encryption.map((certificate) => buildKeyDescriptor('encryption', certificate)),
    `    <md:SingleLogoutService Binding="${buildBinding('HTTP-Redirect')}" Location="${escapeXml(urls.logoutReturn)}"/>`,
    ...(nameIdFormat === encryptedFormat
      ? []
      : [`    <md:NameIDFormat>${escapeXml(nameIdFormat)}</md:NameIDFormat>`]),
    `    <md:AssertionConsumerService Binding="${buildBinding('HTTP-POST')}" Location="${escapeXml(urls.assertion)}"` +
      ' index="0" isDefault="true"/>',
    '  </md:SPSSODescriptor>',
    '</md:EntityDescriptor>',
    '',
  ].join('\n')

const buildKeyDescriptor = (use: 'signing' | 'encryption', certificate: Certificate): string =>
  [
    `    <md:KeyDescriptor use="${use}">`,
    '      <ds:KeyInfo><ds:X509Data>',
    `        <ds:X509Certificate>${toBareBase64(certificate)}</ds:X509Certificate>`,
    '      </ds:X509Data></ds:KeyInfo>',
    ...(use === 'encryption' ? encryptionMethods : []),
    '    </md:KeyDescriptor>',
  ].join('\n')

/** The supported encryption algorithms, best first (XML Encryption 1.1 5.2.4 and 5.5.2). */
const encryptionMethods = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
].map((algorithm) => `      <md:EncryptionMethod Algorithm="${algorithm}"/>`)
