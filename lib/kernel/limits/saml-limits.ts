import { day, minute } from '../util/time.ts'

/** Fixed limits of SAML: of its messages, metadata, certificates and keys, with their reasons. */

/** Limits of XML from outside. 1 MiB of real metadata uses two thirds of each. */
export const xmlDepth = 50
export const xmlElements = 10_000
export const xmlAttributes = 20_000
export const xmlAttributesPerElement = 64
/** Comments and CDATA sections. Removing them to verify a signature takes quadratic time. */
export const xmlInterruptions = 500
/** Identity providers of an aggregate that an error lists to choose from. */
export const entitiesListed = 50
/** Certificates in one field of a SAML provider. A rollover needs two or three. */
export const certificatesPerField = 20
/** Bits of an RSA key. Shorter keys are weak, longer keys are slow. */
export const rsaBits = { min: 2048, max: 8192 }
/** The same for service provider keys, and the size of generated ones. */
export const spRsaBits = { min: 2048, max: 4096, generated: 3072 }
/** Lifetime of generated certificates. Partners store them, so an early expiry would break sign-in. */
export const spCertificateLifetimeMs = 3650 * day
/** Days before a certificate expires on which administrators get an email. */
export const certificateWarningDays = [60, 30, 7]
/** Administrators who get such an email. */
export const warnedAdmins = 20
/** How long a set-up link works, and how large metadata can be that its holder pastes. */
export const setupLinkLifetimeMs = 7 * day
export const pastedMetadataBytes = 512 * 1024
/** Decrypted service provider keys that a warm function keeps, and for how long. It bounds calls to KMS. */
export const spKeysCached = 64
export const spKeyCacheMs = 10 * minute
/** Certificate fields of providers that a warm function keeps in parsed form. */
export const certificateFieldsCached = 64
/** Maximum age of a logout message. */
export const logoutMessageMaxAgeMs = 10 * minute
/** Size limits of a redirect binding message: inflated bytes and characters in the query. */
export const redirectMessageBytes = 64 * 1024
export const redirectMessageLength = 16 * 1024
/** Session indexes in one logout message. */
export const sessionIndexesPerLogout = 100
/** Maximum age of a SAML response. */
export const samlResponseAgeMs = 10 * minute
/** Elements, XML attributes and attribute values of a SAML response. The contract limits its bytes. */
export const samlElements = 1600
export const samlXmlAttributes = 3000
export const samlAttributeValues = 500
/** Encrypted keys in one assertion. Each attempt to decrypt costs milliseconds. */
export const samlEncryptedKeys = 3
/** Bytes of a name ID. A persistent one has at most 256 characters (SAML Core 8.3.7). */
export const samlNameIdBytes = 1024
