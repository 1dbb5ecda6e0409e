import { day, hour, minute } from '../util/time.ts'

/** Fixed limits of company connections and of the sign-ins through them, with their reasons. */

/** Time and size limits of identity provider metadata. The size counts after decompression. */
export const metadataFetchMs = 5000
export const metadataBytes = 1024 * 1024
/** Characters of a metadata URL. */
export const metadataUrlLength = 2048

/** Accounts at identity providers that administrators give to one user. */
export const accountsPerUser = 20

/** Ways of signing in that a connection requires, or that count as two factors. */
export const authnContextsMax = 10

/** Company connections of one organization. One call lists them. */
export const connectionsPerOrganization = 10

/** Email domains of a provider. One transaction deletes a provider with all of them. */
export const domainsPerProvider = 50
/** Characters of a domain. The name of its TXT record has 10 more, and a name in the DNS at most 253. */
export const domainNameLength = 243
/** Time to look up the TXT record of a domain, and how many records are read. */
export const domainLookupMs = 5000
export const txtRecordsRead = 20

/** Tokens of the directory of a connection: one, and the one that replaces it. */
export const scimTokensPerConnection = 2
/** How long an access token for a directory is valid, whatever the lifetime of the client's other tokens is. */
export const directoryTokenMs = 10 * minute
/** The largest body of a request of a directory. */
export const scimBodyBytes = 1024 * 1024

/** How long a sign-in waits for the response of the identity provider. */
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
/** Sign-ins that one browser can have in progress. Each has a cookie. */
export const flowsPerBrowser = 8
/** Discovery documents that a warm function keeps, and for how long. */
export const discoveriesCached = 64
export const discoveryCacheMs = 10 * minute
/** How long ago a sign-in at an identity provider counts that does not say when it was. */
export const unknownAuthenticationMs = 365 * day
/** Tolerated clock difference to an identity provider. */
export const providerClockSkewMs = minute
/** How old a logout token of an identity provider may be. */
export const providerLogoutMaxAgeMs = 5 * minute
/** How old a notification of Apple may be. It expires after a day, and Apple sends it again if there was no answer. */
export const appleNotificationMaxAgeMs = day
/** How long a logout by a provider is remembered: longer than the lifetime of an earlier assertion. */
export const signOutRetentionMs = 15 * minute
/** Time to end the sessions of one logout request. A partial logout is reported for the rest. */
export const providerSignOutMs = 8000

/** Time for a browser to get from a finished sign-in back to its start page. */
export const signInReturnMs = 2 * minute
/** Users who can sign in here although their provider is required. */
export const exemptUsersMax = 20
/** Connections that are refreshed at the same time. Each reads up to a megabyte of metadata. */
export const connectionsRefreshedAtOnce = 16
/** Time after which all connections are refreshed again. The schedule is hourly, and its runs start a little early or late. */
export const connectionRefreshMs = day - hour / 2
