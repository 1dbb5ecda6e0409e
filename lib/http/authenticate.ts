import type { TokenAuthentication } from '../accounts/callers/credential-use.records.ts'
import { requireNoImpersonation, requireOwnSession } from '../accounts/callers/own-session.ts'
import type { Principal } from '../accounts/callers/principal.ts'
import {
  createSetupRequiredError,
  isLimitedToPasskeySetup,
  isLimitedToSetup,
} from '../accounts/sessions/session-rules.ts'
import { findOrganizationCaller, type OrganizationCaller } from '../features/organizations/find-token.ts'
import type { ScimCaller } from '../features/scim/find-token.ts'
import { authenticate, detectCredentialKind } from '../features/sign-in/authentication.ts'
import {
  createServiceProofError,
  isLimitedToOrganizations,
} from '../features/sign-in/organization-sessions.ts'
import { requireRecentAuthentication } from '../features/sign-in/recent-authentication.ts'
import type { Access, CredentialKind } from '../kernel/contract/access.ts'
import { changesState, type Operation } from '../kernel/contract/operation.ts'
import { AppError } from '../kernel/errors/errors.ts'
import type { Config } from '../kernel/settings/config.ts'
import { getEngineFailure } from '../kernel/table/engine-failure.ts'
import type { Services } from '../services.ts'
import { buildLaxCookie, getHostCookieName, readCookie } from './cookies.ts'
import { getHeader, getOperation, getSenderAddress, type HttpEvent, type Middleware } from './http-types.ts'
import { buildSessionMark } from './session-mark.ts'

/** Identifies the caller by a bearer credential (RFC 6750 2.1) or the session cookie, if the operation asks for it. */
export const authenticateCaller = (services: Services): Middleware => ({
  before: async ({ event, context }) => {
    const operation = getOperation(context)
    const { access } = operation
    if (access.allow === 'anyone' && !isCredentialRead(operation, event)) return
    const sent = readCredential(services, event)
    let hasExpired = false
    const onExpired = () => {
      hasExpired = true
    }
    const options = { onExpired, address: getSenderAddress(event, context) }
    const caller = sent && (await findOrganization(services, operation, sent, options))
    if (caller) {
      context.requestState.organizationCaller = caller
      return
    }
    const directory = sent && (await findDirectory(services, operation, event, sent, options))
    if (directory) {
      context.requestState.scimCaller = directory
      return
    }
    const principal =
      sent && (await findPrincipal(services, operation, sent.value, options).catch(orNone(operation)))
    if (!principal) {
      if (access.allow === 'anyone') return
      throw hasExpired
        ? createExpiredError()
        : new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
    }
    if (isLimitedToSetup(principal) && !acceptsSetupSession(operation, principal)) {
      if (access.allow === 'anyone') return
      throw createSetupRequiredError(principal)
    }
    if (!acceptsOrganizationSession(operation) && isLimitedToOrganizations(principal)) {
      if (access.allow === 'anyone') return
      throw createServiceProofError()
    }
    context.requestState.principal = principal
    context.requestState.usesCookie = sent.isCookie
    requireAllowedKind(operation, principal)
    if (operation.recentAuthentication === true)
      await requireRecentAuthentication(services, principal, {
        setsUp: operation.allowsSetupSession,
      })
    if (sent.isCookie && changesState(operation) && !canChangeByCookie(services.config, event))
      throw permissionDenied('A request with the session cookie must come from a page of this service.')
  },
})

const acceptsSetupSession = ({ allowsSetupSession }: Operation, { session }: Principal): boolean =>
  allowsSetupSession === true ||
  (allowsSetupSession === 'without_passkey' && !isLimitedToPasskeySetup(session))

/** Operations of one organization decide by the membership there. */
const acceptsOrganizationSession = ({ access, allowsOrganizationSession }: Operation): boolean =>
  allowsOrganizationSession === true || access.allow === 'role'

const createExpiredError = (): AppError =>
  new AppError('not_authenticated', {
    reason: 'credential_expired',
    detail: 'The session or API token has expired. Sign in again, or use a new token.',
    headers: {
      'www-authenticate': 'Bearer error="invalid_token", error_description="The credential has expired"',
    },
  })

/** The check of the service says what is wrong with the table, although no one can be authenticated. */
const orNone =
  ({ readsCredentialWith }: Operation) =>
  (error: unknown): undefined => {
    if (readsCredentialWith === undefined || getEngineFailure() === undefined) throw error
  }

/** A query that cannot be parsed is refused later, so its credential need not be read. */
const isCredentialRead = ({ access, readsCredentialWith }: Operation, event: HttpEvent): boolean => {
  if (access.allow === 'anyone' && access.credential === 'ignored') return false
  return readsCredentialWith === undefined || event.queryStringParameters?.[readsCredentialWith] !== undefined
}

const requireAllowedKind = (operation: Operation, { kind, ...principal }: Principal): void => {
  if (!getAcceptedKinds(operation.access).some((accepted) => accepted === kind))
    throw permissionDenied('This operation requires a signed-in session. API tokens are not accepted.')
  if (!operation.notWhileImpersonating) return
  requireOwnSession(principal)
  requireNoImpersonation(principal)
}

const permissionDenied = (detail: string): AppError => new AppError('permission_denied', { detail })

const getAcceptedKinds = (access: Access): readonly CredentialKind[] => access.by ?? ['session']

/**
 * Returns the principal of a credential. A valid API token is also returned where only a session is accepted, so that
 * the error can name the reason. Any other kind that the operation does not accept is treated as no credential.
 */
const findPrincipal = async (
  services: Services,
  { access, endsSession }: Operation,
  credential: string,
  options: TokenAuthentication,
): Promise<Principal | undefined> => {
  const kind = detectCredentialKind(credential)
  if (!kind || kind === 'organization_token' || kind === 'scim_token') return undefined
  const isRefusedApiToken =
    kind === 'api_token' && access.allow !== 'anyone' && getAcceptedKinds(access).includes('session')
  return isRefusedApiToken || getAcceptedKinds(access).includes(kind)
    ? authenticate(services, credential, kind, { ...options, endsSession })
    : undefined
}

/**
 * Returns the organization of an API token that the operation accepts. Elsewhere, the token counts as no credential, and is not looked
 * up: it belongs to no user.
 */
const findOrganization = async (
  services: Services,
  { access }: Operation,
  { value, isCookie }: SentCredential,
  options: TokenAuthentication,
): Promise<OrganizationCaller | undefined> =>
  !isCookie && getAcceptedKinds(access).includes('organization_token')
    ? findOrganizationCaller(services, value, options)
    : undefined

/** Returns the directory of a token that the operation accepts, if the path names its connection. */
const findDirectory = async (
  services: Services,
  { access }: Operation,
  { pathParameters }: HttpEvent,
  { value, isCookie }: SentCredential,
  options: TokenAuthentication,
): Promise<ScimCaller | undefined> => {
  if (isCookie || !getAcceptedKinds(access).includes('scim_token')) return undefined
  // Loaded on demand, because one function needs it.
  const { findScimCaller } = await import('../features/scim/find-token.ts')
  return findScimCaller(services, value, pathParameters?.['connection_id'], options)
}

interface SentCredential {
  readonly value: string
  readonly isCookie: boolean
}

/** Returns the credential of the `Authorization` header, even a malformed one. The cookie counts without the header. */
const readCredential = ({ config }: Services, event: HttpEvent): SentCredential | undefined => {
  const bearer = readBearer(event)
  if (bearer !== undefined) return { value: bearer, isCookie: false }
  const cookie = readSessionCookie(config, event)
  return cookie === undefined ? undefined : { value: cookie, isCookie: true }
}

/** Returns the credential of the `Authorization` header: an empty text if it is malformed, undefined without the header. */
export const readBearer = (event: HttpEvent): string | undefined => {
  const header = getHeader(event, 'authorization')
  return header === undefined ? undefined : parseBearer(header)
}

const sessionCookieName = 'latchkey'

/** Returns the name of the session cookie. */
export const getSessionCookieName = (config: Config): string => getHostCookieName(config, sessionCookieName)

/** Builds the `Set-Cookie` values of a session. The cookies last for `lifetimeMs`, at most for a whole session. */
export const buildSessionCookies = (
  config: Config,
  value: string,
  lifetimeMs = Number.POSITIVE_INFINITY,
): readonly string[] => {
  const longestMs = config.sessionLifetimes.users.lifetimeMs
  const seconds = Math.ceil(Math.min(lifetimeMs, longestMs) / 1000)
  return [buildLaxCookie(config, sessionCookieName, value, seconds), buildSessionMark(config, value, seconds)]
}

export const buildClearedSessionCookies = (config: Config): readonly string[] => [
  buildLaxCookie(config, sessionCookieName, '', 0),
  buildSessionMark(config, '', 0),
]

/**
 * Returns the session credential in the cookies of the request, if there is exactly one. A credential of another kind was
 * not put there by this service, and does not count.
 */
export const readSessionCookie = (config: Config, event: Pick<HttpEvent, 'cookies'>): string | undefined => {
  const value = readCookie(event.cookies ?? [], getSessionCookieName(config))
  return value !== undefined && detectCredentialKind(value) === 'session' ? value : undefined
}

/** Returns the credential of an `Authorization` header (RFC 6750 2.1), or an empty text if the header is malformed. */
export const parseBearer = (header: string): string => /^Bearer +(\S+)$/i.exec(header)?.[1] ?? ''

/** Where a request comes from: a page of this service, another site, or unknown if it is not from a browser. */
export type RequestOrigin = 'own' | 'foreign' | 'unknown'

/**
 * Returns where the request comes from, by headers that browsers set and pages cannot change: Fetch Metadata, or
 * `Origin` in older browsers.
 */
export const readRequestOrigin = (config: Config, event: Pick<HttpEvent, 'headers'>): RequestOrigin => {
  const site = getHeader(event, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'foreign'
  const origin = getHeader(event, 'origin')
  if (origin === undefined) return 'unknown'
  return origin === config.publicUrl ? 'own' : 'foreign'
}

/**
 * Whether a page of this service sent the request. An address that someone typed, or that a mail program opened, is no page.
 */
export const isFromOwnPage = (config: Config, event: Pick<HttpEvent, 'headers'>): boolean =>
  (getHeader(event, 'sec-fetch-site') ?? 'same-origin') === 'same-origin' &&
  readRequestOrigin(config, event) === 'own'

/**
 * Whether a request that is authenticated by the cookie may change something. Forms and scripts must be on a page of
 * this service. A link, such as one to sign out, may also be on a page of an allowed origin. Browsers name the page of
 * a link in `Referer` at most, and older browsers not at all.
 */
const canChangeByCookie = (config: Config, event: HttpEvent): boolean => {
  const origin = readRequestOrigin(config, event)
  if (origin === 'own' || event.requestContext.http.method !== 'GET') return origin === 'own'
  const referrer = URL.parse(getHeader(event, 'referer') ?? '')?.origin
  return origin === 'unknown' || (referrer !== undefined && config.allowedOrigins.includes(referrer))
}
