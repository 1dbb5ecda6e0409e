import type { TokenAuthentication } from '../../accounts/callers/credential-use.records.ts'
import { noteUse } from '../../accounts/callers/note-use.ts'
import type { Principal, SessionPrincipal } from '../../accounts/callers/principal.ts'
import { findSessionAndUser } from '../../accounts/sessions/find-sessions.records.ts'
import {
  isSessionActive,
  isSessionUnended,
  isSessionUnrevoked,
} from '../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { updateSessionLastSeen } from '../../accounts/sessions/write-sessions.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { isLastSeenStale, updateUserLastSeen } from '../../accounts/users/last-seen.records.ts'
import { isApiTokenRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { CredentialKind } from '../../kernel/contract/access.ts'
import type { EndsSession } from '../../kernel/contract/operation.ts'
import { hasCustomTokenForm } from '../../kernel/contract/text-rules.ts'
import { hasCredentialPrefix, hashCredential, parseCredential } from '../../kernel/secrets/credentials.ts'
import type { Services } from '../../services.ts'
import { findLinkOfSession, withLinkScope } from '../access-links/link-session.ts'
import {
  type ApiTokenRecord,
  findApiTokenAndUser,
  findChosenOwner,
  hasApiTokenExpired,
  storeApiTokenUse,
} from '../api-tokens/records.ts'
import { findImpersonatedUser, isImpersonating } from '../impersonation/rules.ts'
import { findResetToken } from '../passwords/reset-tokens.ts'
import { withSessionRights } from './organization-sessions.ts'
import { isIdleForAdministrators } from './resting-rights.ts'

/**
 * Detects the kind of a bearer credential by its form alone. A value without a prefix of this service may be a custom
 * API token. Returns undefined for mistyped values and for kinds that never authenticate a request.
 */
export const detectCredentialKind = (bearer: string): CredentialKind | undefined => {
  if (!hasCredentialPrefix(bearer)) return hasCustomTokenForm(bearer) ? 'api_token' : undefined
  const kind = parseCredential(bearer)?.kind
  return requestKinds.find((one) => one === kind)
}

const requestKinds: readonly CredentialKind[] = [
  'session',
  'api_token',
  'organization_token',
  'reset_token',
  'scim_token',
]

/** The credentials that belong to a user. */
export type UserCredentialKind = Exclude<CredentialKind, 'organization_token' | 'scim_token'>

export interface AuthenticateOptions extends TokenAuthentication {
  /** Relaxes the checks for operations that only end the session or the impersonation: these need not work any more. */
  readonly endsSession?: EndsSession | undefined
}

/**
 * Finds the principal of a bearer credential. Takes one table call, or two for a session that a link opened. Returns
 * undefined for a malformed, unknown, expired or revoked credential. Only those who know the value learn that it expired.
 */
export const authenticate = (
  services: Services,
  bearer: string,
  kind: UserCredentialKind,
  options: AuthenticateOptions = {},
): Promise<Principal | undefined> => {
  if (kind === 'session') return authenticateSessionValue(services, bearer, options)
  return kind === 'api_token'
    ? authenticateApiToken(services, bearer, options)
    : authenticateResetToken(services, bearer)
}

const authenticateResetToken = async (services: Services, value: string): Promise<Principal | undefined> => {
  const found = await findResetToken(services, value)
  return found && { kind: 'reset_token', hash: found.token.hash, user: found.user }
}

/** A session or an API token as the table knows it. */
export interface StoredCredential {
  readonly kind: 'session' | 'api_token'
  readonly userId: number
  readonly hash: string
}

/**
 * Finds the principal of a credential that a token refers to. Takes as many table calls as `authenticate`. A product can do
 * this without its user, so it does not count as a use of the session. `isInUse` decides instead of the user's use whether the
 * session is idle.
 */
export const authenticateStored = async (
  services: Services,
  { kind, userId, hash }: StoredCredential,
  isInUse?: (session: SessionRecord) => boolean,
): Promise<Principal | undefined> =>
  kind === 'session'
    ? authenticateSession(services, { userId, hash }, { isOwnUse: false, isInUse })
    : toApiTokenPrincipal(await findStoredApiToken(services, userId, hash))

const authenticateApiToken = async (
  services: Services,
  value: string,
  options: AuthenticateOptions,
): Promise<Principal | undefined> => {
  const found = await findTokenAndOwner(services, value, hashCredential(value))
  return toApiTokenPrincipal(await requireActive(services, found, options))
}

const toApiTokenPrincipal = (found: ActiveApiToken | undefined): Principal | undefined => {
  if (!found) return undefined
  const { token, user } = found
  const scopes = token.scopes && { scopes: token.scopes }
  return { kind: 'api_token', hash: token.hash, user, apiToken: token, ...scopes }
}

const authenticateSessionValue = async (
  services: Services,
  bearer: string,
  options: AuthenticateOptions,
): Promise<Principal | undefined> => {
  const credential = parseCredential(bearer)
  if (!credential) return undefined
  const { hash, subject } = credential
  return authenticateSession(services, { userId: subject, hash }, { ...options, isOwnUse: true })
}

const authenticateSession = async (
  services: Services,
  { userId, hash }: Pick<StoredCredential, 'userId' | 'hash'>,
  {
    endsSession,
    onExpired,
    isOwnUse,
    isInUse,
  }: AuthenticateOptions & {
    readonly isOwnUse: boolean
    readonly isInUse?: ((session: SessionRecord) => boolean) | undefined
  },
): Promise<Principal | undefined> => {
  const { session, user } = await findSessionAndUser(services.table, userId, hash)
  if (!session || !user) return undefined
  const findUnchecked = (id: number) => findUser(services.table, id)
  if (endsSession === 'session') return withImpersonation(services, session, user, findUnchecked)
  const works = isInUse
    ? isSessionUnended(services, session, user) && isInUse(session)
    : isSessionActive(services, session, user)
  if (!works) {
    // A link can have ended in other ways.
    if (!session.accessLink && isSessionUnrevoked(session, user, services.now())) onExpired?.()
    return undefined
  }
  if (session.accessLink && !(await findLinkOfSession(services, session.accessLink, user))) return undefined
  const seen = isOwnUse ? await updateLastSeen(services, session, user) : user
  const owner = withSessionRights(services, session, seen)
  if (session.accessLink) return { kind: 'session', hash, session, user: withLinkScope(owner) }
  if (endsSession === 'impersonation') return withImpersonation(services, session, owner, findUnchecked)
  const principal = await withImpersonation(services, session, owner, (id) =>
    findImpersonatedUser(services, owner, id),
  )
  return isImpersonating(session, services.now()) && !principal.actor ? undefined : principal
}

/** The principal of a session. During impersonation, its user is the one that `findImpersonated` returns. */
const withImpersonation = async (
  { now }: Services,
  session: SessionRecord,
  owner: UserRecord,
  findImpersonated: (userId: number) => Promise<UserRecord | undefined>,
): Promise<SessionPrincipal> => {
  const { hash, impersonation } = session
  const own = { kind: 'session', hash, session, user: owner } as const
  if (!impersonation || !isImpersonating(session, now())) return own
  const other = await findImpersonated(impersonation.userId)
  return other ? { ...own, user: other, actor: owner } : own
}

/** Updates the last use of the session and its user when it is outdated. Returns the user with the new time. */
const updateLastSeen = async (
  services: Services,
  session: SessionRecord,
  user: UserRecord,
): Promise<UserRecord> => {
  const now = services.now()
  const isStale = isLastSeenStale(session, now)
  const results = await Promise.allSettled([
    ...(isStale
      ? [
          updateSessionLastSeen(services.table, session, {
            nowMs: now,
            wasIdle: isIdleForAdministrators(services, session),
          }),
        ]
      : []),
    updateUserLastSeen(services.table, user, now),
  ])
  for (const result of results)
    if (result.status === 'rejected') services.log.warn('last_seen.not_written', { error: result.reason })
  return isStale || isLastSeenStale(user, now) ? { ...user, lastSeenAt: now } : user
}

/**
 * Owners of custom tokens, by hash. The owner of a token never changes while the token exists, so this may be cached.
 * Whether the token still exists, and what its owner may do, is read each time.
 */
const ownerCache = new Map<string, number>()
const maxCached = 10_000

/** An API token that works, with its owner. */
interface ActiveApiToken {
  readonly token: ApiTokenRecord
  readonly user: UserRecord
}

type Found = Awaited<ReturnType<typeof findApiTokenAndUser>>

/** Finds an API token by the hash under which it is stored. Takes one table call. */
const findStoredApiToken = async (
  services: Services,
  userId: number,
  hash: string,
): Promise<ActiveApiToken | undefined> =>
  requireActive(services, await findApiTokenAndUser(services.table, userId, hash))

/** Returns undefined if the token or its owner does not work now. Otherwise updates when the token was last used. */
const requireActive = async (
  services: Services,
  { token, user }: Partial<Found> = {},
  { onExpired, address }: TokenAuthentication = {},
): Promise<ActiveApiToken | undefined> => {
  const now = services.now()
  if (!token || !user || !isActive(user, now)) return undefined
  if (isGuestUser(user) || isApiTokenRevoked(user, token)) return undefined
  if (hasApiTokenExpired(token, now)) {
    onExpired?.()
    return undefined
  }
  await noteUse(services, token, address, (use) => storeApiTokenUse(services.table, token, use))
  return { token, user }
}

/** Finds an API token and its owner. Takes one table call, or two for a custom token that is not cached. */
const findTokenAndOwner = async (
  { table }: Services,
  value: string,
  hash: string,
): Promise<Found | undefined> => {
  const owner = parseCredential(value)?.subject ?? ownerCache.get(hash)
  const found = owner === undefined ? undefined : await findApiTokenAndUser(table, owner, hash)
  if (found?.token || hasCredentialPrefix(value)) return found
  // The cached owner deleted the token. Another user may have chosen the same value since.
  ownerCache.delete(hash)
  const currentOwner = await findChosenOwner(table, hash)
  if (currentOwner === undefined) return undefined
  if (ownerCache.size >= maxCached) ownerCache.clear()
  ownerCache.set(hash, currentOwner)
  return findApiTokenAndUser(table, currentOwner, hash)
}

/** Stores when a token was used, and a network that is new today. */
