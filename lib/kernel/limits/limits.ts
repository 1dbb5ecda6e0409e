import { day, hour, minute, second } from '../util/time.ts'

/**
 * Fixed limits of the service, with their reasons. Those of passwords are in `password-limits.ts`, those of company
 * connections in `connection-limits.ts`, and those of requests in `rate-limits.ts`.
 */

/** How long a part of the service may take to answer a check of its health. */
export const healthCheckMs = 3 * second

/** Lifetime of a session that can only set up a second factor. */
export const secondFactorSetupMs = 30 * minute
/** Precision of "last seen". A write for each request would cost more than the precision is worth. */
export const lastSeenPrecisionMs = 5 * minute
/** Precision of the time at which a client was last used in a session. */
export const clientUsePrecisionMs = day

/** OpenID Connect clients that one session can give tokens to. The session remembers them, and each use writes it. */
export const clientsPerSession = 50
/** Lifetime of a logout token. The specification recommends at most two minutes. */
export const logoutTokenLifetimeMs = 2 * minute
/** How long a client may take to answer a logout token. */
export const logoutAnswerMs = 5 * second
/** How long a client is informed again and again that a session ended. The first wait doubles up to the longest. */
export const logoutRetryMs = { total: 8 * hour, first: minute, longest: hour }
/** How long a job to inform clients waits if no function works on it. */
export const logoutJobLifetimeMs = 2 * day
/** After this many consecutive failures, a client is not tried for a while, so that others do not wait. */
export const logoutFailuresBeforePause = 3
export const logoutPauseMs = minute

/** Lifetime of a ticket: enough for a redirect or a page load. */
export const ticketLifetimeMs = minute

/** How long a proof of work is accepted after it was asked for. It is longer than a slow phone takes. */
export const proofLifetimeMs = 5 * minute

/** Maximum size of a request body. Larger bodies are rejected unread. */
export const bodyLimitBytes = 64 * 1024
/**
 * Maximum size of the values that published clients store with a user or a group. An item of the table has at most 400 KB,
 * and numbers such as `1e15` are longer in the table than in a body.
 */
export const clientFieldsBytes = 2 * bodyLimitBytes
/**
 * Maximum size of what the roles of organizations allow. A transaction writes 16 copies of it, and takes at most 4 MB. Whatever fits into
 * a body is accepted.
 */
export const organizationRightsBytes = 2 * bodyLimitBytes
/** Attributes that a service can define for its users. */
export const userAttributesMax = 50
/** Maximum size of the values of these attributes that one user has. */
export const userAttributesBytes = 4096
/** Characters of a text in an attribute. The keys of the table have at most 1,024 bytes. */
export const attributeTextLength = 255
/** Texts that an attribute with several can have, and those that it can be limited to. */
export const attributeTextsMax = 50
/** Claims that a service can add to tokens, and the clients and APIs that these can name together. A transaction changes 100 items. */
export const addedClaimsMax = 40
/** Maximum size of what is added to one token or answer. It travels in headers with each request. */
export const addedClaimsBytes = 2048

/** Lines of a file with users that one request imports. Each may have a weak password hash, which takes a tenth of a second. */
export const userLinesPerRequest = 50
/** Maximum size of the body of such a request. One line may have as much as any other body. */
export const userLinesBytes = 4 * bodyLimitBytes
/** Maximum nesting of a JSON body. DynamoDB stores 32 levels. */
export const bodyDepth = 24

/** Entries of a list that one page of a search examines: of users about 8 MB of the index, or 1,000 read units. */
export const entriesSearchedPerPage = 50_000
/** Records that one page of a search reads without a result, for entries that do not decide. */
export const recordsSearchedPerPage = 2000

/** Groups per user. A permission check may have to read all of them. */
export const groupsPerUser = 200

/** Group members that a body can hold. Larger groups are changed through the `groups` of their users. */
export const membersPerBody = 1000
/** Members in the preview of a group. */
export const membersPerPreview = 3
/** Bytes in the result of a function from which on the members of a group are shown without their lists. */
export const memberDetailBytes = 2.5 * 1024 * 1024
/** A page of a list ends at this size in the result of a function, because Lambda returns at most 6 MB. */
export const listBytes = 5 * 1024 * 1024
/** Sessions of one user that a list shows, newest first. They are sorted in memory. */
export const sessionsPerList = 1000
/** Sessions of one user that a list reads, ended ones included: about 5 MB. */
export const sessionsReadPerList = 10_000
/** Items of a deleted user that one request deletes. The rest has no effect and expires. */
export const userItemsDeletedPerRequest = 2000
/** Memberships that one request removes when a group is deleted. The rest no longer grants anything. */
export const membersRemovedPerRequest = 5000

/** How long a signing key signs. The next key is published all this time before it signs. */
export const signingKeyRotationMs = 30 * day
/** The longest lifetime of a token that a signing key signs. */
export const signedTokenLifetimeMs = hour
/** How long a key is published after its last signature: the lifetime of a token, and an hour for clocks and caches. */
export const signingKeyRetentionMs = signedTokenLifetimeMs + hour
/** How long a function keeps the public keys. A withdrawn key signs for this long at most. */
export const signingKeyCacheMs = minute
/** How long a request waits for missing keys, how often it looks for them, and how long none asks again afterwards. */
export const signingKeyRequestMs = { wait: 10 * second, poll: 250, pause: minute }
/** How long clients may keep the key set. Keys are published long before they sign. */
export const keySetMaxAgeMs = 5 * minute
/** Lifetime of a JWT for a session or an API token. It cannot be revoked, so it is short. */
export const jwtLifetimeMs = 10 * minute
/** Characters of a JWT. API Gateway accepts 10,240 bytes of headers. */
export const jwtCharacters = 8192

/** How long a code can be exchanged for tokens (RFC 6749 4.1.2 allows 10 minutes). */
export const oauthCodeMs = minute
/** How long an authorization whose client sent its parameters ahead waits for the browser (RFC 9126 2.2). */
export const oauthPushedRequestMs = minute
/** How long a device waits for its user (RFC 8628 3.2). */
export const oauthDeviceMs = 10 * minute
/**
 * The time between two requests of a waiting device, by how much each request that comes too early lengthens it (RFC 8628 3.5), and
 * the longest. A request may come a little early, because the clocks of functions differ.
 */
export const oauthDevicePollMs = { first: 5 * second, step: 5 * second, longest: minute, tolerance: second }
/** How long an expired device is known, so that it learns that it expired. */
export const oauthDeviceKeptMs = hour
/** How long a public client can repeat a refresh whose answer it never got. */
export const refreshRepetitionMs = 10 * second
/** How long a user may take to sign in for a client. */
export const oauthInteractionMs = hour
/** How often a browser is sent back to the sign-in page until it sees an error. */
export const oauthReturnsMax = 5
/** Authorizations that one browser can wait with. A new one takes the place of another, at random. */
export const oauthInteractionsPerBrowser = 32
/** Characters of the cookie of a waiting authorization. Browsers accept 4,096 with the name. */
export const oauthInteractionCharacters = 4000
/** Characters of parameters of an authorization. Any other may have `others`. */
export const oauthParameterCharacters = { state: 2048, nonce: 512, id_token_hint: 8192, others: 1024 }

/** How long an assertion may work by which a client proves who it is. Its identifier is kept as long. */
export const oauthAssertionMs = 5 * minute

/** Clients of OpenID Connect. */
export const clientsMax = 1000
export const clientKeysMax = 5

/** Documents of clients. Clients that no administrator registered leave room for those of administrators. */
export const clientDocumentBytes = 16 * 1024
export const clientDocumentMs = 3 * second
export const clientAddressCharacters = 250
export const clientDocumentsMax = clientsMax / 2
/** How long a document is used without being read again, and how long if it cannot be read. */
export const clientDocumentFreshMs = 10 * minute
export const clientDocumentStaleMs = 24 * hour
/** How long a document counts for a client that signs with a key that the document did not name. */
export const clientDocumentKeysMs = minute

/** Each token for an API reads its record, and the console lists the permissions of all of them. */
export const protectedApisMax = 100

/** The shortest and the longest time that a service can keep audit events. The longest is that of logs in CloudWatch. */
export const auditRetentionMinDays = 30
export const auditRetentionMaxDays = 3653
/** Age at which an event is added to the chain of hashes: longer than a running transaction. */
export const auditChainLagMs = 20 * second
/** Events in one block of the chain. A block has about 95 bytes for each. */
export const auditEventsPerBlock = 1000
/** A chain without new events still stores at these intervals how far it has read. */
export const auditIdleMs = 10 * minute
/** How far back a new chain searches for late events. */
export const auditLateMs = 2 * hour
/** Time between two searches for late events. Each event is searched for one to two of these intervals after its time. */
export const auditSweepMs = 10 * minute
/** Blocks that one run adds to one chain. The next run continues. */
export const auditBlocksPerRun = 100
/** Time between signed checkpoints. */
export const auditCheckpointMs = hour
/** Checkpoints that one run copies to the archive, and the items in an object after which it begins another one. */
export const auditArchivedPerRun = 10
export const auditEventsPerObject = 5000
/** Days of which events are counted for the overview, with the present one. */
export const auditCountedDays = 30
/** Months whose activity is shown, with the present one, and the one before them to compare with. */
export const activityMonths = 13
/** How long numbers of a month are kept after its start: until the last month that shows them has ended, and some more days. */
export const activityKeptDays = 32 * (activityMonths + 1)
/** An audit chain that is this far behind has stopped. */
export const auditStoppedMs = 30 * minute
/** Time between two surveys of months without audit events. */
export const auditSurveyMs = hour
/** How long a survey counts. */
export const auditSurveyLifeMs = day
/** How long blocks and checkpoints are kept after all events that they cover have expired. */
export const auditChainSpareMs = 2 * day
/**
 * How long a checkpoint is kept at least. The chains of a service that was stopped for longer cannot be continued, because nothing
 * proves them any more.
 */
export const auditCheckpointKeptMs = 400 * day
/** How long a block may have been stored before the checkpoint that precedes the one which signs it. */
export const auditSignedLateMs = day
/** Characters of a user agent that an audit event keeps. An event stays below 1 KB, the unit of a write. */
export const auditedUserAgentLength = 160
/** Changes that an audit event lists, and characters of a value in it. It counts what it leaves out. */
export const eventChangesMax = 50
export const eventValueLength = 255
/** The shortest time that the values of people in audit events can be kept. */
export const auditPersonalMinDays = 1
/** Refusals of one kind and network within this time are one audit event with a count. */
export const refusalAuditMs = minute
/** Networks whose refusals a function stores separately within that time. All others share one event. */
export const refusalNetworksAudited = 60

/** Failed sign-ins per account and address before each further one doubles the wait. */
export const freeLoginFailures = 5
export const loginBackOffFirstMs = 1000
export const loginBackOffMaxMs = 15 * minute
/** Without a failure for this long, the wait starts over. */
export const loginBackOffRetentionMs = day

/**
 * Consecutive failures to sign in, in total. From then on, an account requires a known network or a new password (NIST SP
 * 800-63B-4 section 3.2.2). Wrong codes of a second factor have the same limit.
 */
export const consecutiveFailuresMax = 100
/** Consecutive failures are forgotten after this long without one. */
export const failureStreakMs = 400 * day

/** Known addresses that are stored per user. */
export const knownAddressesPerUser = 20
/** Known devices that are stored per user: networks, each with a browser. */
export const knownDevicesPerUser = 20

/** Browsers that are stored per user, and how long their cookie lasts, which is the most that browsers allow. */
export const deviceCookiesPerUser = 10
export const deviceCookieMs = 400 * day

/** Browsers that are remembered per user. Another one replaces the one that was used least recently. */
export const rememberedDevicesPerUser = 10
/** The most that a sign-in policy can have devices remembered. */
export const rememberedDeviceDaysMax = 90
/**
 * Within this time after its use, the former secret of a remembered device from the same network is that of another tab. It works, and
 * is not replaced.
 */
export const rememberedDeviceParallelMs = minute

/** Maximum clock drift of an authenticator app, in steps of 30 seconds. */
export const totpDriftMaxSteps = 10
/** Recovery codes per user. Each works once. */
export const recoveryCodesPerUser = 10

/** Least length of a new link password. Wrong guesses at a link are limited, and a link may have a PIN. */
export const linkPasswordMinLength = 4
/** Uses that a list shows of each access link. They are stored in the link. */
export const activitiesListed = 10
/** Uses that a single access link shows, newest first, and how long they are kept. */
export const activitiesShown = 100
export const activityRetentionMs = 400 * day
/** Access links that can be sorted in memory, where no index has the order. */
export const linksSortedInMemory = 1000
/** Access links that are counted for each state. Counting costs as much as reading their entries. */
export const linksCounted = 100
/** Access links of a person that are counted before they end. */
export const holdingsCounted = 1000

/** Time to clean up the links of a deleted user. Links that remain no longer work. */
export const linkCleanUpMs = 6000

/** The same email requested again within this time counts as a retry and is not sent twice. */
export const linkMailRetentionMs = minute
/** Time limit for one call to SES. A function has 15 seconds in total. */
export const mailSendingMs = 8000
/** How long an address gets no email after a bounce or complaint. Afterwards it may have a new owner. */
export const suppressionMs = 180 * day

/** Lifetime of a password reset link. */
export const resetTokenLifetimeMs = 30 * minute

/** Passkeys per user. All of them are named in each request to a browser. */
export const passkeysPerUser = 20
export const passkeyNameLength = 100
/** How long a user has between a right password and the second factor. */
export const secondFactorTokenLifetimeMs = 5 * minute
/** A passkey that seems to be copied causes at most one email in this time. */
export const clonedPasskeyNoticeMs = day
/** How long after a sign-in with a password a browser may add a passkey without a question. */
export const passkeyUpgradeMs = 5 * minute

/** Lifetime of the link in an email about a change of an account. */
export const securityReportLifetimeMs = 7 * day
/** A report also undoes what happened this long before the reported change, because clocks differ. */
export const reportClockToleranceMs = 10_000
/** Periods that reports undid, which are stored per user. */
export const undonePeriodsPerUser = 10
/** Time to delete the credentials that a report revoked. Credentials that remain do not work. */
export const revokedCleanUpMs = 6000
/** Leaked credentials of one report that are ended at the same time. */
export const leaksAtOnce = 10
/** The least duration of a report. Ending a credential takes less, so the duration does not reveal if there was one. */
export const leakReportDurationMs = 250

/** Lifetime of a link that confirms an email address. */
export const emailConfirmationLifetimeMs = 7 * day

/** Lifetime of an invitation to sign in for the first time. */
export const invitationLifetimeMs = 7 * day
/** Lifetime of an invitation to an organization, unless it names another one. */
export const organizationInvitationDays = { initial: 7, longest: 30 }
/** How long the email of an invitation waits at least that could not be sent. */
export const invitationDelayMs = hour
/** How long an expired invitation to an organization is still listed. */
export const expiredInvitationMs = 30 * day
/** Open invitations of an organization. Nobody can send email to many strangers in its name. */
export const openInvitationsMax = 20
/** Lifetime of the link with which someone signs up, and of a request that waits for approval. */
export const signUpLinkLifetimeMs = day
export const signUpRequestLifetimeMs = 30 * day
/** Requests to sign up that wait for approval. Further ones are refused. */
export const signUpRequestsMax = 500
/** Days until an account is deleted after its user asked for it, unless the policy names others. */
export const deletionGraceDays = 14
/** Administrators who get an email about a change that can make others administrators. */
export const administratorsInformed = 50
/** Owners of an organization who get an email that it will be deleted, among so many of its members. */
export const ownersInformed = 20
export const membersExamined = 10_000

/** Lifetime of an emailed code, and the guesses at it. */
export const emailCodeLifetimeMs = 10 * minute
export const emailCodeGuesses = 5

/** API tokens per user. */
export const apiTokensPerUser = 100
/** How long an API token can still work after another one replaced it. */
export const replacedApiTokenMs = 7 * day
/**
 * Secrets of a client, or tokens of the account of a program in a stack, that work while they are replaced: the one that the product runs with, one that got lost
 * with an answer, and the newest.
 */
export const secretsPerHolder = 3
/** How long a slug that an organization had stays its own, and how many of them. */
export const formerSlugMs = 365 * day
export const formerSlugsMax = 3
/** How often members change the slug of their organization, in which time. */
export const slugChangesMax = 2
export const slugChangesMs = 30 * day
/** API tokens of an organization. */
export const organizationApiTokensMax = 100
/** Precision of the time at which an API token was last used. */
export const apiTokenUsePrecisionMs = hour
/** The networks that an API token remembers of one day, and altogether, so that it stays small. */
export const tokenNetworksPerDay = 20
export const tokenNetworksMax = 60
/** How many days an API token remembers a network. */
export const tokenNetworkDays = 30
/** Minimum entropy of an API token value that the caller chose. */
export const customTokenEntropyBits = 128
/** Maximum duration of an impersonation. */
export const impersonationLifetimeMs = hour

/** How long a function keeps the branding, and how long a page or an email waits for it. */
export const brandingCacheMs = 5 * second
export const brandingReadMs = second
/** Organizations whose branding a function keeps. */
export const organizationBrandingsKept = 200
/** The same for what the sign-in page offers. */
export const signInOptionsCacheMs = 5 * second
export const signInOptionsReadMs = 2 * second
/** Products whose branding is stored. More than the setting of access links can name. */
export const brandedProductsMax = 100
/** The images of a brand. */
export const logoKinds = ['logo', 'dark_logo', 'icon'] as const
/** How round the corners of a brand can be. */
export const cornerRadii = ['none', 'small', 'medium', 'large'] as const
/** Characters of the texts of a brand, for each language. */
export const brandTextsMax = { greeting: 160, footer: 240 }
/** Characters of the name before the address of a sender. */
export const senderNameMax = 64
/** The size of own words of an email, and how many versions of them are kept. */
export const emailTextBytes = 16 * 1024
export const emailTextVersionsMax = 10
/** Size of a logo. In base64, it still fits into an item of the table. The contract limits the text. */
export const logoBytes = 128 * 1024
/** Pixels of a logo in each direction. */
export const logoPixels = { min: 16, max: 2048 }
/** Former logos that emails can still show, and for how long. */
export const formerLogosMax = 20
export const formerLogoLifetimeMs = 365 * day
/** Logos that a function keeps in memory, and for how long. An image never changes, but it can be deleted. */
export const logosCached = 10
export const logoCacheMs = 10 * minute

/** How long a wrong count of members has to stay wrong before it is repaired. Lists lag behind writes by less. */
export const recountPauseMs = 2000
