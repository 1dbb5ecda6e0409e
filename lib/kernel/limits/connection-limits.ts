import { day, minute } from '../util/time.ts'

/** Fixed limits of sign-ins with SAML and of the providers, with their reasons. */

/** Time and size limits of identity provider metadata. The size counts after decompression. */
export const metadataFetchMs = 5000
export const metadataBytes = 1024 * 1024
/** Characters of a metadata URL. */
export const metadataUrlLength = 2048
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

/** Accounts at identity providers that administrators give to one user. */
export const accountsPerUser = 20

/** Ways of signing in that a connection requires, or that count as two factors. */
export const authnContextsMax = 10

/** Email domains of a provider. One transaction deletes a provider with all of them. */
export const domainsPerProvider = 50
/** Characters of a domain. The name of its TXT record has 10 more, and a name in the DNS at most 253. */
export const domainNameLength = 243
/** How long a set-up link works, and how large metadata can be that its holder pastes. */
export const setupLinkLifetimeMs = 7 * day
export const pastedMetadataBytes = 512 * 1024
/** Time to look up the TXT record of a domain, and how many records are read. */
export const domainLookupMs = 5000
export const txtRecordsRead = 20

/** How long a SAML sign-in waits for the response of the identity provider. */
export const signInRequestMs = 10 * minute
/** How long a checked answer of an identity provider waits for the person to decide about it. They may have to sign in first. */
export const signInQuestionMs = 10 * minute
/** How long a browser is not sent to start a sign-in once more. Longer than an identity provider needs that asks nothing. */
export const signInRestartMs = minute / 2
/** How long administrators can read what a test sign-in found, and how large the result may be. */
export const testResultMs = day
export const testResultBytes = 32 * 1024
/** Attributes that such a result shows, values of each, and characters of a value. */
export const shownAttributes = 100
export const shownValues = 20
export const shownCharacters = 255
/** SAML sign-ins that one browser can have in progress. Each has a cookie. */
export const flowsPerBrowser = 8
/** Decrypted service provider keys that a warm function keeps, and for how long. It bounds calls to KMS. */
export const spKeysCached = 64
export const spKeyCacheMs = 10 * minute
/** Certificate fields of providers that a warm function keeps in parsed form. */
export const certificateFieldsCached = 64
/** Discovery documents that a warm function keeps, and for how long. */
export const discoveriesCached = 64
export const discoveryCacheMs = 10 * minute
/** How long ago a sign-in at an identity provider counts that does not say when it was. */
export const unknownAuthenticationMs = 365 * day
/** Tolerated clock difference to an identity provider. */
export const providerClockSkewMs = minute
/** Maximum age of a logout message. */
/** How old a logout token of an identity provider may be. */
export const providerLogoutMaxAgeMs = 5 * minute
export const logoutMessageMaxAgeMs = 10 * minute
/** How long a logout by a provider is remembered: longer than the lifetime of an earlier assertion. */
export const signOutRetentionMs = 15 * minute
/** Size limits of a redirect binding message: inflated bytes and characters in the query. */
export const redirectMessageBytes = 64 * 1024
export const redirectMessageLength = 16 * 1024
/** Session indexes in one logout message. */
export const sessionIndexesPerLogout = 100
/** Time to end the sessions of one logout request. A partial logout is reported for the rest. */
export const providerSignOutMs = 8000

/** Time for a browser to get from a finished SAML sign-in back to its start page. */
export const signInReturnMs = 2 * minute
/** Providers that can be the only way to sign in. Each sign-in reads their IDs. */
export const requiredProvidersMax = 100
/** Users who can sign in here although their provider is required. */
export const exemptUsersMax = 20
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
