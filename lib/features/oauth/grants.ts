import type { Principal, SessionPrincipal } from '../../accounts/callers/principal.ts'
import { isLimitedToSetup } from '../../accounts/sessions/session-rules.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { second } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { findSameMembership, withEffectiveRoles } from '../organizations/access.ts'
import type { ActingSession } from '../organizations/acting-principal.ts'
import { findLackingSignIn } from '../organizations/sign-in-rules.ts'
import { authenticateStored } from '../sign-in/authentication.ts'
import { nameAuthenticationClass } from '../sign-in/authentication-class.ts'
import { isMembershipProven, isProvenFor } from '../sign-in/organization-sessions.ts'
import { getStatedTime } from '../sign-in/proof-time.ts'
import { type ClientUse, findClientAccess } from './client-access.records.ts'
import type { ClientRecord } from './clients.records.ts'
import { createGrantId, findOAuthGrant, type OAuthGrantRecord } from './grants.records.ts'
import { getCredentialEnd, getSessionId, nameMethods } from './tokens/claims.ts'
import { findOAuthToken, type OAuthTokenRecord } from './tokens.records.ts'

interface GrantTerms extends Pick<OAuthGrantRecord, 'scopes' | 'origin'> {
  /** How long the client may wait until it gets its tokens. */
  readonly codeMs: number
}

/** Creates what a user grants a client in one authorization. It is not stored yet. */
export const createGrantRecord = (
  services: Services,
  principal: SessionPrincipal,
  client: ClientRecord,
  { scopes, origin, codeMs }: GrantTerms,
): OAuthGrantRecord => {
  const { session, user } = principal
  const { clientId } = client
  const createdAt = services.now()
  // Without a refresh token, the grant has to last as long as the access token that its code gives.
  const lifetimeMs = scopes.includes('offline_access')
    ? client.refresh_token_lifetime * 1000
    : codeMs + client.access_token_lifetime * 1000
  return {
    id: createGrantId(),
    sid: getSessionId(principal),
    scopes,
    origin,
    createdAt,
    clientId,
    userId: user.id,
    ends: findClientAccess(session, { clientId, subject: user.id })?.ends ?? 0,
    session: { userId: session.userId, hash: session.hash },
    expiresAt: Math.min(createdAt + lifetimeMs, getCredentialEnd(services, principal)),
  }
}

/** Describes that a client uses a grant now. */
export const describeClientUse = (
  { now }: Pick<Services, 'now'>,
  { clientId, userId, scopes, ends }: OAuthGrantRecord,
  client: Pick<ClientRecord, 'refresh_token_idle_lifetime'>,
): ClientUse => ({
  client: { clientId, subject: userId },
  idleMs: client.refresh_token_idle_lifetime * second,
  scopes,
  ends,
  nowMs: now(),
})

/**
 * Finds the user of a grant by its session, which is read again. Undefined if the session has ended, an impersonation began
 * or stopped since, the user left the organization of the grant, their sign-in is no longer what it requires, or they ended the access
 * of the client. A grant with refresh tokens is idle if its client does not use them, and another one if the user is.
 */
export const findGrantSubject = async (
  services: Services,
  grant: OAuthGrantRecord,
): Promise<ActingSession | undefined> => {
  const client = { clientId: grant.clientId, subject: grant.userId }
  const isInUse = (session: SessionRecord): boolean =>
    services.now() < (findClientAccess(session, client)?.access?.idleAt ?? 0)
  const [principal, organization] = await Promise.all([
    authenticateStored(
      services,
      { kind: 'session', ...grant.session },
      grant.scopes.includes('offline_access') ? isInUse : undefined,
    ),
    findOrganization(services, grant),
  ])
  if (organization === 'ended') return undefined
  if (!principal || !isSession(principal) || !isSignedIn(principal)) return undefined
  if (!isProvenFor(principal, grant.organizationId)) return undefined
  if (organization && !isMembershipProven(principal, organization.membership)) return undefined
  const isSame = principal.user.id === grant.userId && getSessionId(principal) === grant.sid
  const ends = findClientAccess(principal.session, client)?.ends ?? 0
  if (organization && findLackingSignIn(principal, organization, services.now())) return undefined
  if (!isSame || ends !== grant.ends) return undefined
  return organization
    ? { ...principal, organization: withEffectiveRoles(principal, organization) }
    : principal
}

/** The organization of a grant as it is now. Its tokens end with the membership, and while it is suspended. */
const findOrganization = async (
  { table }: Services,
  { userId, organizationId, joining }: OAuthGrantRecord,
) => {
  if (organizationId === undefined) return undefined
  return (await findSameMembership(table, { userId, organizationId, joining })) ?? 'ended'
}

const isSession = (principal: Principal): principal is SessionPrincipal => principal.session !== undefined

/** Finds a refresh token, used or not, with its grant. Undefined if the grant has ended. */
export const findRefreshToken = async (
  { table, now }: Services,
  value: string,
): Promise<{ readonly token: OAuthTokenRecord; readonly grant: OAuthGrantRecord } | undefined> => {
  // No JWT, and no text that is too long, is a refresh token.
  if (!/^[\w-]{1,255}$/.test(value)) return undefined
  const token = await findOAuthToken(table, 'refresh_token', value)
  const grant = token && (await findOAuthGrant(table, token.grantId, now()))
  return grant && { token, grant }
}

/** Whether the user ended the access of a client, and has not signed in since. Otherwise it would return unnoticed. */
export const hasEndedAccess = (
  { session, user }: SessionPrincipal,
  { clientId }: Pick<ClientRecord, 'clientId'>,
): boolean => {
  const app = findClientAccess(session, { clientId, subject: user.id })
  return session.authentication.at <= (app?.endedAt ?? 0)
}

/**
 * Whether a session counts as signed in. One that can only set up a second factor does not, and neither does one that an
 * access link opened: the link is a proof of possession, not of identity.
 */
export const isSignedIn = (principal: SessionPrincipal): boolean =>
  !isLimitedToSetup(principal) && !principal.session.accessLink

/** How and when the user of a session proved who they are, in the words of the library. */
export const describeLogin = (principal: SessionPrincipal) => {
  const { authentication } = principal.session
  const { methods } = authentication
  return {
    ts: Math.floor(getStatedTime(authentication) / 1000),
    amr: [...nameMethods(methods)],
    acr: nameAuthenticationClass(methods),
  }
}
