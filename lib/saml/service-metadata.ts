import { type Certificate, toBareBase64 } from './certificates.ts'
import type { ServiceUrls } from './service-provider.ts'
import { escapeXml } from './xml/escape.ts'

/** What our metadata tells. */
export interface ServiceFacts {
  readonly urls: ServiceUrls
  /** What our requests are signed with, now or soon; none when they can't be. */
  readonly signing: readonly Certificate[]
  /** What can be decrypted with a key of ours. */
  readonly encryption: readonly Certificate[]
  readonly nameIdFormat: string
}

const binding = (name: string): string => `urn:oasis:names:tc:SAML:2.0:bindings:${name}`

/** A format that can be asked for, but isn't one that names have (SAML Core 8.3.7 and 3.4.1.1). */
const encrypted = 'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted'

/** Our metadata for an identity provider (SAML Metadata 2.4.4): the order of its elements is that of the schema. */
export const buildServiceMetadata = ({ urls, signing, encryption, nameIdFormat }: ServiceFacts): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"' +
      ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escapeXml(urls.metadata)}">`,
    `  <md:SPSSODescriptor AuthnRequestsSigned="${signing.length > 0}" WantAssertionsSigned="true"` +
      ' protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">',
    ...signing.map((certificate) => keyDescriptor('signing', certificate)),
    ...encryption.map((certificate) => keyDescriptor('encryption', certificate)),
    `    <md:SingleLogoutService Binding="${binding('HTTP-Redirect')}" Location="${escapeXml(urls.logoutReturn)}"/>`,
    ...(nameIdFormat === encrypted
      ? []
      : [`    <md:NameIDFormat>${escapeXml(nameIdFormat)}</md:NameIDFormat>`]),
    `    <md:AssertionConsumerService Binding="${binding('HTTP-POST')}" Location="${escapeXml(urls.assertion)}"` +
      ' index="0" isDefault="true"/>',
    '  </md:SPSSODescriptor>',
    '</md:EntityDescriptor>',
    '',
  ].join('\n')

const keyDescriptor = (use: 'signing' | 'encryption', certificate: Certificate): string =>
  [
    `    <md:KeyDescriptor use="${use}">`,
    '      <ds:KeyInfo><ds:X509Data>',
    `        <ds:X509Certificate>${toBareBase64(certificate)}</ds:X509Certificate>`,
    '      </ds:X509Data></ds:KeyInfo>',
    ...(use === 'encryption' ? encryptionMethods : []),
    '    </md:KeyDescriptor>',
  ].join('\n')

/** What assertions can be encrypted with, the best first (XML Encryption 1.1 5.2.4 and 5.5.2). */
const encryptionMethods = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
].map((algorithm) => `      <md:EncryptionMethod Algorithm="${algorithm}"/>`)
