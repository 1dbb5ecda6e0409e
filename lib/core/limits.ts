/** Every limit of the service, one name each, with what it is for. */

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A session ends this long after sign-in, whatever happens: a stolen one doesn't live for ever. */
export const sessionLifetimeMs = 14 * day
/** A session that nobody used for so long is taken for left behind. */
export const sessionIdleMs = 24 * hour
/** How exactly use is recorded: a write per request would cost more than it tells. */
export const lastSeenPrecisionMs = 5 * minute

/** A ticket lives as long as a redirect or a page load takes. */
export const ticketLifetimeMs = minute
/** Unused tickets that one user may have at a time; they lie in the user's record, which each request reads. */
export const openTicketsPerUser = 200
/** The same with those that were used a moment ago: the record must not outgrow its place. */
export const keptTicketsPerUser = 500
/** How long an ended session is remembered: past the life of a ticket and of any request under way. */
export const endedSessionMemoryMs = 5 * minute

/** A body above this is refused unread; no body of this interface comes near it. */
export const bodyLimitBytes = 64 * 1024
/** Nesting of a JSON body: the table holds 32 levels, and no body of this interface needs more than a few. */
export const bodyDepth = 24

export const passwordMinLength = 8
export const passwordMaxLength = 1024

/** Most that a password policy may ask for in length, and its rules together in matches: more is a mistake. */
export const policyLength = 128
export const policyEntropyBits = 128
/** Matches that one rule may ask for. */
export const ruleMatches = 64
export const ruleNameLength = 100
/** Characters of one expression; how many rules there may be is in the contract. */
export const expressionLength = 500
/** Characters of all expressions of a policy: compiling them takes time, too. */
export const expressionsLength = 4000
/** Instructions of all expressions of a policy once compiled: repeats multiply, `(a{30}){30}` is 900. */
export const policyInstructions = 1000
/** Instructions times characters, which bounds the time that the rules of a policy take on one password. */
export const policyMatchingSteps = 2_000_000

/** Characters of a password that its strength is estimated by: the time goes up with their square. */
export const strengthCharacters = 100
/** Guesses a second of somebody who has a copy of quickly hashed passwords; `time_to_crack` is told for it. */
export const guessesPerSecond = 1e10
/** `time_to_crack` is never more, so that every client can hold it exactly: 285 million years. */
export const longestCrackSeconds = Number.MAX_SAFE_INTEGER

/** Generated passwords have at least so many characters, and so many bits of chance. */
export const generatedLength = 20
export const generatedBits = 60
/** What making a password that fits a policy may take: lengths that are tried, and tries at each. */
export const generatedLengthsTried = 8
export const generatorTriesPerLength = 25

/** How long a password may wait for the look-up among breached ones; a real answer has some 40 KB. */
export const breachLookUpMs = 1000
export const breachAnswerBytes = 512 * 1024
/** After so many failures in a row, nobody waits for the next: none is tried for a while. */
export const breachFailuresInRow = 3
export const breachPauseMs = minute
/** Answers that are kept, and for how long: a password is often evaluated just before it is set. */
export const breachAnswersKept = 32
export const breachAnswerKeptMs = 10 * minute

/** Groups that one user may be in: each request that asks for a permission may have to read them all. */
export const groupsPerUser = 200

/** Members of a group that a body shows or sets; beyond it, membership is changed by the users' own groups. */
export const membersPerBody = 1000
/** Members shown at a glance. */
export const membersPreviewed = 3
/** The entries of a list end here though more were asked for: Lambda answers with 6 MB at most. */
export const listBytes = 4 * 1024 * 1024
/** Sessions of one user that are looked at: they are put in order by us, not by the table. */
export const sessionsPerList = 1000
/** Memberships that one request takes away when a group is deleted; what is left grants nothing. */
export const membersPerSweep = 5000

/** How long records of who did what are kept. */
export const auditRetentionMs = 400 * day

/** Guesses at one account from one address: so many are free, then each costs a wait that doubles. */
export const freeLoginFailures = 5
export const loginBackOffFirstMs = 1000
export const loginBackOffMaxMs = 15 * minute
/** After so long without a failure, an address starts anew with an account. */
export const loginBackOffMemoryMs = day

/** Addresses that an account remembers to have signed in from. */
export const knownAddressesPerUser = 20

/** How many steps of 30 s an authenticator's clock may be off; beyond that, its owner has to set it right. */
export const totpDriftMaxSteps = 10
/** Codes to sign in with when the authenticator is lost, each once. */
export const recoveryCodesPerUser = 10

/** Uses of a link that are shown, newest first; and how long a use is remembered. */
export const activitiesShown = 100
export const activityRetentionMs = 400 * day
/** Links that are put in order here, where no index has that order. */
export const linksPutInOrder = 1000

/** How long clearing away the links of a user may take that is deleted: what is left is dead in any case. */
export const linkSweepMs = 6000

/** The same mail asked for again within this time is a request whose answer got lost. */
export const linkMailMemoryMs = minute
/** How long SES may take with one mail; a function has 15 s for all it does. */
export const mailSendingMs = 8000
/** An address that bounced, or whose owner complained, gets no mail for so long: somebody else may have it then. */
export const suppressionMs = 180 * day

/** A reset link is for now: whoever finds the mail later finds nothing. */
export const resetTokenLifetimeMs = 30 * minute

/** API tokens that one user may have: enough for every script, and few enough to list at once. */
export const apiTokensPerUser = 100
/** How exactly an API token's use is recorded. */
export const apiTokenUsePrecisionMs = hour
/** What a chosen API token must be worth: as much as nobody can guess. */
export const chosenTokenEntropyBits = 128
/** An administrator goes on as somebody else for so long at most. */
export const impersonationLifetimeMs = hour

/** What the metadata of an identity provider may take: in time all over, and in bytes once decompressed. */
export const metadataFetchMs = 5000
export const metadataBytes = 1024 * 1024
/** Characters of the address of metadata. */
export const metadataUrlLength = 2048
/** Nesting, elements and attributes of XML that others sent: a mebibyte of real metadata has two thirds of each. */
export const xmlDepth = 50
export const xmlElements = 10_000
export const xmlAttributes = 20_000
export const xmlAttributesPerElement = 64
/** Comments and CDATA sections of it: taking them out again to verify a signature costs by the square of how many. */
export const xmlInterruptions = 500
/** Identity providers of an aggregate that an answer lists to choose from. */
export const entitiesListed = 50
/** Certificates in one field of a SAML provider: a roll-over has two or three. */
export const certificatesPerField = 20
/** Bits of an RSA key: below the first, it can be broken soon; above the second, using it is slow. */
export const rsaBits = { min: 2048, max: 8192 }
/** The same of our own keys, which are kept encrypted; and what those have that we make. */
export const ownRsaBits = { min: 2048, max: 4096, made: 3072 }
/** How long a certificate that we make is good for; partners hold the key in it, so it isn't to end by surprise. */
export const ownCertificateMs = 3650 * day
/** Days before the end of a certificate on which administrators are told, each once. */
export const certificateWarningDays = [60, 30, 7]
/** Administrators that such a mail goes to. */
export const warnedAdmins = 20

/** How long a request of ours to an identity provider waits for its answer. */
export const samlRequestMs = 10 * minute
/** How far the clocks of an identity provider and of ours may be apart. */
export const samlClockSkewMs = minute
/** Logout messages that were issued longer ago are stale, whatever they say of themselves. */
export const logoutMessageMaxAgeMs = 10 * minute
/** How long it is remembered whom a provider signed out: past the life of every assertion that it made before. */
export const signOutMemoryMs = 15 * minute
/** Bytes of a message in a query, once it is inflated; and the characters that carry it. */
export const redirectMessageBytes = 64 * 1024
export const redirectMessageLength = 16 * 1024
/** Sessions that one logout message may name. */
export const sessionIndexesPerLogout = 100
/** How long the sessions of a user may take to end, of the 15 s that a function has: the rest is told to be left. */
export const samlSignOutMs = 8000

/** A session that asks for an account at a provider to be linked to its user was made at most so long ago. */
export const samlLinkSessionMs = 15 * minute
/** How long a browser may take from a finished sign-in to where it began. */
export const samlReturnMs = 2 * minute
/** How old a response may be: it comes at once, by a browser that is waiting for it. */
export const samlResponseAgeMs = 10 * minute
/** What a response may have of elements, attributes, and values of its attribute statement; its bytes the contract bounds. */
export const samlElements = 1600
export const samlXmlAttributes = 3000
export const samlAttributeValues = 500
/** Keys for several recipients that an encrypted assertion may bring along: each that is tried costs milliseconds. */
export const samlEncryptedKeys = 3
/** Bytes of a name ID; a persistent one has at most 256 characters (SAML Core 8.3.7). */
export const samlNameIdBytes = 1024
