import { randomInt } from 'node:crypto'
import { AppError } from '../../kernel/errors/errors.ts'
import { mintCredential } from '../../kernel/secrets/credentials.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { SessionLifetime } from '../../kernel/settings/session-lifetimes.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { isWithin, minute } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { hasAdminAccess, hasPermission } from '../callers/permissions.ts'
import type { Principal } from '../callers/principal.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { isActive } from '../users/account-state.ts'
import { isGuestUser } from '../users/guest-state.records.ts'
import { withRestingRights } from '../users/resting-rights.records.ts'
import type { UserRecord } from '../users/stored-user.records.ts'
import type {
  AuthenticationMethod,
  SessionAuthentication,
  SessionLink,
  SessionRecord,
} from './stored-session.records.ts'
import { createSession } from './write-sessions.records.ts'

/** The clocks of two servers can differ by this much. */
export const clockSkewMs = minute

interface SessionOptions {
  /** How the user proved who they are. */
  readonly methods: readonly AuthenticationMethod[]
  /** Steps for the transaction that creates the session. */
  readonly extraSteps?: readonly Step[]
  /** The link that opens the session. */
  readonly link?: SessionLink
  /** Epoch milliseconds. The session does not outlive this. */
  readonly expiresAt?: number | null
}

/**
 * Creates a session and returns its credential, which is not stored anywhere. The credential is always new, so that one
 * that an attacker planted before the sign-in is worthless after it.
 */
export const openSession = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
  { methods, extraSteps = [], link, expiresAt = null }: SessionOptions,
): Promise<string> => {
  const { value, session } = buildSession(services, user, context, {
    methods,
    expiresAt,
    ...(await detectAdministrator(services, user)),
    ...omitUndefined({ accessLink: link }),
  })
  await createSession(services.table, session, extraSteps)
  return value
}

/** What a session depends on besides its user, and its latest end in epoch milliseconds. */
export type SessionOrigin = Pick<
  SessionRecord,
  | 'accessLink'
  | 'providerSubject'
  | 'carriedSubjects'
  | 'isAdministrator'
  | 'limitedTo'
  | 'organizationProofs'
  | 'secondFactorRequiredFrom'
  | 'factorRule'
> &
  Omit<SessionAuthentication, 'at'> & {
    /** When the user proved who they are, in epoch milliseconds. Default: now. It is never later than now. */
    readonly authenticatedAt?: number
    readonly expiresAt: number | null
  }

/** Builds a session, which is not stored yet, and its credential. */
export const buildSession = (
  { config, now }: Services,
  user: UserRecord,
  context: RequestContext,
  {
    methods,
    isFactorRemembered,
    connection,
    isPublicProvider,
    isFromSetUp,
    isTimeUnknown,
    authenticatedAt = Number.POSITIVE_INFINITY,
    expiresAt,
    ...origin
  }: SessionOrigin,
): { readonly value: string; readonly session: SessionRecord } => {
  const { value, hash } = mintCredential('session', user.id)
  const at = now()
  const { lifetimeMs } = getSessionLifetime(config, origin, user)
  const session = {
    hash,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    // If the password changes concurrently, the epoch is outdated and the session never works.
    credentialEpoch: user.credentialEpoch,
    createdAt: at,
    lastSeenAt: at,
    expiresAt: Math.min(at + lifetimeMs, expiresAt ?? Number.POSITIVE_INFINITY),
    address: context.address,
    userAgent: context.userAgent.slice(0, 255),
    ...omitUndefined({ country: context.country }),
    authentication: {
      at: Math.min(at, authenticatedAt),
      methods,
      ...omitUndefined({ isFactorRemembered, connection, isPublicProvider, isFromSetUp, isTimeUnknown }),
    },
    ...origin,
  }
  return { value, session }
}

/**
 * Detects an administrator at the sign-in, because groups are not read later. Makes a table call only if administrators
 * have a shorter lifetime, and the user has groups.
 */
export const detectAdministrator = async (
  { config, table }: Services,
  user: UserRecord,
): Promise<Pick<SessionRecord, 'isAdministrator'>> => {
  const { users, administrators } = config.sessionLifetimes
  const isShorter = administrators.lifetimeMs < users.lifetimeMs || administrators.idleMs < users.idleMs
  return isShorter && (await hasPermission(table, user, 'system:admin-access'))
    ? { isAdministrator: true }
    : {}
}

/** The lifetime that the settings give a session now, also one that began under other settings. */
export const getSessionLifetime = (
  { sessionLifetimes }: Config,
  { isAdministrator }: Pick<SessionRecord, 'isAdministrator'>,
  user: UserRecord,
): SessionLifetime =>
  isAdministrator || hasAdminAccess(withRestingRights(user).permissions)
    ? sessionLifetimes.administrators
    : sessionLifetimes.users

/** Whether a session works now for its user, who is not idle. `user` is the session's user as read now. */
export const isSessionActive = (services: Services, session: SessionRecord, user: UserRecord): boolean => {
  const { idleMs } = getSessionLifetime(services.config, session, user)
  return isSessionUnended(services, session, user) && services.now() < session.lastSeenAt + idleMs
}

/**
 * Whether a session works now for its user, or for an app with refresh tokens. An app that is in use does not keep the
 * session of a browser that its user left.
 */
export const isSessionInUse = (services: Services, session: SessionRecord, user: UserRecord): boolean =>
  isSessionActive(services, session, user) ||
  (isSessionUnended(services, session, user) &&
    Object.values(session.clientAccess ?? {}).some(({ access }) => services.now() < (access?.idleAt ?? 0)))

/** Whether a session was not revoked and has not reached its end, so that it works unless it is idle. */
export const isSessionUnended = (
  { config, now }: Services,
  session: SessionRecord,
  user: UserRecord,
): boolean => {
  const nowMs = now()
  const { lifetimeMs } = getSessionLifetime(config, session, user)
  return (
    isSessionUnrevoked(session, user, nowMs) &&
    // A session from the future was made while a clock was ahead. It would live that much longer.
    isWithin(session.createdAt - clockSkewMs, nowMs, lifetimeMs + clockSkewMs) &&
    nowMs < session.expiresAt
  )
}

/** Whether nothing but the time can have ended a session. */
export const isSessionUnrevoked = (session: SessionRecord, user: UserRecord, nowMs: number): boolean =>
  session.credentialEpoch === user.credentialEpoch &&
  isActive(user, nowMs) &&
  // A guest has nothing to sign in with, but may have had rights and a password for a while.
  (session.accessLink !== undefined || !isGuestUser(user))

/**
 * Whether the session of a caller can only set up a second factor. Turning on an authenticator app lifts this limit:
 * the change ends all other sessions, so the session that is left is the one that made it. One that can only add a passkey
 * stays limited: the passkey then opens another session.
 */
export const isLimitedToSetup = ({ session, user }: Principal): boolean =>
  isLimitedToPasskeySetup(session) || (session?.limitedTo === 'second_factor_setup' && !user.totp)

/** Whether a session can only add a passkey. */
export const isLimitedToPasskeySetup = (session: SessionRecord | undefined): boolean =>
  session?.limitedTo === 'passkey_setup'

export const createSetupRequiredError = ({ session }: Principal): AppError =>
  new AppError('permission_denied', {
    reason: 'second_factor_setup_required',
    detail: isLimitedToPasskeySetup(session)
      ? 'This session can only add a passkey. Add one, then sign in with it.'
      : 'This session can only set up a second factor. Set it up, or sign in again afterwards.',
    tryAgain: null,
  })
