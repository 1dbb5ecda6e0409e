import { readServiceOrigin } from '../client/build-url.ts'
import { createClient } from '../client/create-client.ts'
import type { CurrentOrganization, ServiceUserProfile } from '../client/generated/models.ts'
import { isLatchkeyError } from '../client/latchkey-error.ts'
import type { Fetch } from '../client/options.ts'
import { organizationHeader } from '../client/organization-header.ts'
import { checkOptions, type OptionTypes } from '../kernel/options/check-options.ts'
import { AccessError } from './access-error.ts'
import { connectFrameworks, type Identify, type Middleware } from './connect-frameworks.ts'
import { type IncomingRequest, readCredential, sessionPrefix } from './read-credential.ts'
import { createReportFailure } from './report-failure.ts'
import {
  createOrganizationRefusal,
  type Proof,
  type Requirement,
  readOrganizationNeed,
  requireAccess,
} from './requirement.ts'
import type { CredentialKind, User, UserOrganization } from './user.ts'

/**
 * The user who calls, with the profile that the service returned.
 *
 * @example
 * ```ts
 * import type { ProfileUser } from '@latchkey/middleware'
 *
 * export const readName = ({ profile, username }: ProfileUser) => profile.full_name || username
 * ```
 */
export interface ProfileUser extends User {
  readonly profile: ServiceUserProfile
}

/**
 * The options of `createMiddleware`.
 *
 * @example
 * ```ts
 * import type { MiddlewareOptions } from '@latchkey/middleware'
 *
 * export const options: MiddlewareOptions = { baseUrl: 'https://auth.example.com', cacheMs: 10_000 }
 * ```
 */
export interface MiddlewareOptions {
  /** The origin of the service, such as `https://auth.example.com`. */
  readonly baseUrl: string
  /**
   * How long an answer of the service is used again. The default is 0: each request asks, so a logout or a removed
   * permission counts at once.
   */
  readonly cacheMs?: number
  /** Accepts the session cookie of the service, for products on the same host. The default is false. */
  readonly acceptsCookie?: boolean
  /** Accepts guests of access links. They have the kind `access_link` and no permissions. The default is false. */
  readonly acceptsGuests?: boolean
  /** How long the service may take. The default is 5,000 ms. */
  readonly timeoutMs?: number
  /** Accepts `http:` for hosts other than this machine. */
  readonly allowsHttp?: boolean
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch
}

const middlewareOptionTypes: OptionTypes<MiddlewareOptions> = {
  baseUrl: 'required string',
  cacheMs: 'number',
  acceptsCookie: 'boolean',
  acceptsGuests: 'boolean',
  timeoutMs: 'number',
  allowsHttp: 'boolean',
  fetch: 'function',
}

/** Sessions of users in their grace period end at this time, so only limited sessions are older. Clocks may differ. */
const graceToleranceMs = 5 * 60_000

/** The same default as for JWTs. */
const clockToleranceSeconds = 5

/** Whether a session can only set up a second factor. A password alone is not enough for products then. */
const isLimitedToSetup = ({ second_factor_required_from: from }: ServiceUserProfile): boolean =>
  from !== undefined && !(Date.parse(from) > Date.now() + graceToleranceMs)

const toUser = (credential: string, profile: ServiceUserProfile): ProfileUser => ({
  id: profile.id,
  username: profile.username,
  permissions: profile.organization ? [] : profile.effective_permissions,
  organization: profile.organization && toOrganization(profile.organization),
  actor: profile.impersonated_by && {
    id: profile.impersonated_by.id,
    username: profile.impersonated_by.username,
  },
  kind: nameKind(credential, profile),
  profile,
})

const toOrganization = ({ id, slug, name, roles, permissions }: CurrentOrganization): UserOrganization => ({
  id: String(id),
  slug,
  name,
  roles,
  permissions,
})

/**
 * The organization that the service is asked about. Requirements without one read no header.
 *
 * @throws AccessError if the request names none, or something that is none
 */
const readNamedOrganization = (
  { getHeader }: IncomingRequest,
  requirement: Requirement,
): string | undefined => {
  const needed = readOrganizationNeed(requirement)
  if (needed !== true && needed !== 'optional') return needed
  const sent = getHeader(organizationHeader.toLowerCase())
  if (sent === undefined && needed === 'optional') return undefined
  const named = sent ?? ''
  if (!/^[a-z\d-]{1,50}$/.test(named)) throw createOrganizationRefusal()
  return named
}

/** Whether an answer has the forms that the code below relies on. */
const isProfile = ({ id, effective_permissions, organization }: ServiceUserProfile): boolean =>
  Number.isSafeInteger(id) &&
  Array.isArray(effective_permissions) &&
  (organization === undefined || [organization.permissions, organization.roles].every(Array.isArray))

const nameKind = (credential: string, { access_link: link }: ServiceUserProfile): CredentialKind => {
  if (link !== undefined) return 'access_link'
  return credential.startsWith(sessionPrefix) ? 'session' : 'api_token'
}

/** What a session proves. API tokens do not sign in, and neither has scopes of other APIs. */
const readProof = ({ acr, authenticated_at: at = '' }: ServiceUserProfile): Proof => ({
  scopes: [],
  acr,
  authenticatedAt: Date.parse(at) / 1000,
})

/** Creates the function that asks the service who is calling. @throws TypeError as `createClient` does */
const createIdentifyUser = (options: MiddlewareOptions): Identify<ProfileUser> => {
  checkOptions(options, middlewareOptionTypes, 'an option of createMiddleware')
  const { cacheMs = 0, acceptsCookie = false, acceptsGuests = false, ...ofClient } = options
  const baseUrl = readServiceOrigin(options.baseUrl, options.allowsHttp)
  const client = createClient({ timeoutMs: 5_000, ...ofClient })
  const cache = createUserCache<ProfileUser>(cacheMs)
  const cookieName = baseUrl.startsWith('https:') ? '__Host-latchkey' : 'latchkey'
  return async (request, requirement) => {
    const credential = readCredential(request, acceptsCookie ? cookieName : undefined)
    if (credential === undefined) throw new AccessError('notAuthenticated')
    const { asksService: isFresh = false } = requirement
    const organization = readNamedOrganization(request, requirement)
    const user = await cache.load({ credential, organization, isFresh }, async () => {
      const headers = organization === undefined ? {} : { [organizationHeader]: organization }
      const loaded = await client.users.getCurrentUser(undefined, { credential, headers }).catch(refuse)
      if (!isProfile(loaded)) throw new AccessError('unavailable')
      return toUser(credential, loaded)
    })
    if (user.kind === 'access_link' && !acceptsGuests) throw new AccessError('guest')
    if (isLimitedToSetup(user.profile))
      throw new AccessError('permissionDenied', { reason: 'second_factor_setup_required' })
    requireAccess(user, requirement, readProof(user.profile), clockToleranceSeconds)
    return user
  }
}

/** Translates an error of the service. Without its answer, no caller gets access. */
const refuse = (cause: unknown): never => {
  if (isLatchkeyError(cause, 'not_authenticated')) throw new AccessError('notAuthenticated', { cause })
  if (isLatchkeyError(cause, 'permission_denied') && cause.reason === 'organization_refused')
    throw createOrganizationRefusal(cause)
  if (isLatchkeyError(cause, 'permission_denied'))
    throw new AccessError('permissionDenied', { cause, reason: cause.reason })
  if (isLatchkeyError(cause) && cause.status === 429)
    throw new AccessError('tooManyRequests', { cause, retryAfterSeconds: cause.retryAfterSeconds ?? 1 })
  if (isLatchkeyError(cause, 'temporarily_unavailable'))
    throw new AccessError('busy', { cause, retryAfterSeconds: cause.retryAfterSeconds ?? 1 })
  throw new AccessError('unavailable', { cause })
}

const maxEntries = 1_000

interface Wanted {
  readonly credential: string
  readonly organization: string | undefined
  /** Whether a value of the past is not enough. */
  readonly isFresh: boolean
}

/** Keeps values in memory for a short time. Keys are hashed, so that a memory dump shows no credential of a past request. */
interface UserCache<Value> {
  readonly load: (wanted: Wanted, loadValue: () => Promise<Value>) => Promise<Value>
}

const hash = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** Creates a cache of up to 1,000 values. With `cacheMs` 0 it keeps nothing. Failures are never kept. */
const createUserCache = <Value>(cacheMs: number): UserCache<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly expiresAt: number }>()
  return {
    load: async ({ credential, organization = '', isFresh }, loadValue) => {
      if (cacheMs <= 0) return loadValue()
      // No credential contains a line break.
      const key = await hash(`${credential}\n${organization}`)
      const entry = entries.get(key)
      if (entry && !isFresh && entry.expiresAt > Date.now()) return entry.value
      entries.delete(key)
      // The time counts from the question: the answer may be old when it arrives.
      const expiresAt = Date.now() + cacheMs
      const value = await loadValue()
      const [oldest] = entries.keys()
      if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest)
      entries.set(key, { value, expiresAt })
      return value
    },
  }
}

/**
 * Creates middleware that asks the service who is calling. @throws TypeError if `baseUrl` is not accepted, and for unknown or
 * undefined options
 *
 * @example
 * ```ts
 * import { createMiddleware } from '@latchkey/middleware'
 *
 * const latchkey = createMiddleware({ baseUrl: 'https://auth.example.com' })
 * export const handler = latchkey.web((_, user) => Response.json({ hello: user.username }))
 * ```
 */
export const createMiddleware = (options: MiddlewareOptions): Middleware<ProfileUser> =>
  connectFrameworks(createIdentifyUser(options), createReportFailure(options.baseUrl))
