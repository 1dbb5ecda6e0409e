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
/** How long an ended session is remembered: past the life of a ticket and of any request under way. */
export const endedSessionMemoryMs = 5 * minute

/** A body above this is refused unread; no body of this interface comes near it. */
export const bodyLimitBytes = 64 * 1024
/** Nesting of a JSON body: the table holds 32 levels, and no body of this interface needs more than a few. */
export const bodyDepth = 24

export const passwordMinLength = 8
export const passwordMaxLength = 1024

/** Groups that one user may be in: each request that asks for a permission may have to read them all. */
export const groupsPerUser = 200

/** How long records of who did what are kept. */
export const auditRetentionMs = 400 * day
