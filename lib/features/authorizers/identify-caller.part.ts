import type { Principal } from '../../accounts/callers/principal.ts'
import { organizationHeader } from '../../client/organization-header.ts'
import { parseBearer, readRequestOrigin, readSessionCookie } from '../../http/authenticate.ts'
import { jwtCharacters } from '../../kernel/limits/limits.ts'
import { isOwnAudience, ownClientId, toGuestAudience } from '../../kernel/settings/jwt-audiences.ts'
import type { Services } from '../../services.ts'
import type { StatedClaims } from '../oauth/token-claims.ts'
import { buildUserClaims, getCredentialEnd, type UserClaims } from '../oauth/tokens/claims.ts'
import type { AccessTokenClaims } from '../oauth/tokens/verify-access-token.ts'
import type { ActingPrincipal } from '../organizations/acting-principal.ts'
import { authenticate, detectCredentialKind } from '../sign-in/authentication.ts'
import type { AuthorizerRequest } from './read-event.ts'
import type { AuthorizerSettings } from './settings.ts'

/** Who calls, and until when the credential works at most (epoch milliseconds). */
export type Caller = UserCaller | MachineCaller

/** A user, by what kind of credential. */
export interface UserCaller {
  readonly principal: ActingPrincipal
  readonly claims: StatedClaims
  readonly isJwt: boolean
  /** The OpenID Connect client that a JWT was issued to. */
  readonly clientId?: string
  /** The scopes of its access token. */
  readonly clientScopes?: readonly string[]
  readonly endsAt: number
}

/** An OpenID Connect client with a token for itself, or an organization with an API token of its own. */
interface MachineCaller {
  readonly principal?: undefined
  readonly claims: Pick<
    UserClaims,
    'sub' | 'permissions' | 'org_permissions' | 'org_id' | 'org_slug' | 'org_name'
  >
  /** Missing for an organization. */
  readonly clientId?: string
  readonly clientScopes: readonly string[]
  readonly endsAt: number
}

/** `unauthenticated` without a valid credential. `forbidden` for a page of another site that causes a change. */
export type Identification = Caller | 'unauthenticated' | 'forbidden'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Identifies the caller by a bearer credential, or by the session cookie if the settings allow it. A header `Authorization`
 * counts even if it is wrong. Otherwise an attacker could choose between two callers.
 */
export const identifyCaller = async (
  services: Services,
  settings: AuthorizerSettings,
  request: AuthorizerRequest,
): Promise<Identification> => {
  const header = request.headers['authorization']
  if (header === undefined)
    return settings.acceptsCookie ? identifyByCookie(services, settings, request) : 'unauthenticated'
  const credential = parseBearer(header)
  if (credential === '' || credential.length > jwtCharacters) return 'unauthenticated'
  // A custom API token of this form does not work here. Otherwise, an attacker could store the JWT of another user as their
  // own token, and receive the requests with it.
  if (/^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(credential)) return identifyByJwt(services, settings, credential)
  const kind = detectCredentialKind(credential)
  if (kind === 'organization_token')
    return settings.acceptsOrganizationTokens ? identifyOrganization(services, credential) : 'unauthenticated'
  if (kind !== 'session' && kind !== 'api_token') return 'unauthenticated'
  return describeCaller(services, settings, request, await authenticate(services, credential, kind))
}

/**
 * Browsers send the cookie with requests of every page of the site. So a page must not cause a change unless it is on the
 * host of the service.
 */
const identifyByCookie = async (
  services: Services,
  settings: AuthorizerSettings,
  request: AuthorizerRequest,
): Promise<Identification> => {
  const cookie = readSessionCookie(services.config, request)
  if (cookie === undefined) return 'unauthenticated'
  const isSafe = safeMethods.includes(request.method.toUpperCase())
  if (!isSafe && readRequestOrigin(services.config, request) !== 'own') return 'forbidden'
  return describeCaller(services, settings, request, await authenticate(services, cookie, 'session'))
}

const identifyByJwt = async (
  services: Services,
  settings: AuthorizerSettings,
  token: string,
): Promise<Identification> => {
  const { publicUrl } = services.config
  const audiences = [publicUrl, ...settings.audiences]
  // Loaded on demand, because many products only use sessions.
  const { verifyAccessToken } = await import('../oauth/tokens/verify-access-token.ts')
  const stated = await verifyAccessToken(services, token, [...audiences, ...audiences.map(toGuestAudience)])
  if (!stated)
    return settings.acceptsMachines ? identifyMachine(services, settings, token) : 'unauthenticated'
  // A gateway keeps the answer for a token, and a proof of its key is of one request (RFC 9449).
  if (stated.cnf || !isFromAcceptedClient(settings, publicUrl, stated)) return 'unauthenticated'
  const { findTokenSubject } = await import('../oauth/find-token-subject.ts')
  const { limitToToken } = await import('../oauth/token-claims.ts')
  // A token of a client also ends with the client, its grant, and its own revocation.
  const subject = await findTokenSubject(services, stated)
  if (!subject) return 'unauthenticated'
  const { principal, rights } = subject
  const claims = await buildUserClaims(services, principal)
  return {
    principal,
    isJwt: true,
    ...(rights && { clientId: stated.client_id, clientScopes: rights.scopes }),
    claims: limitToToken(principal, claims, { stated, rights }),
    endsAt: Math.min(getCredentialEnd(services, principal), stated.exp * 1000),
  }
}

const identifyMachine = async (
  services: Services,
  settings: AuthorizerSettings,
  token: string,
): Promise<Identification> => {
  const { verifyMachineToken } = await import('../oauth/tokens/verify-access-token.ts')
  const stated = await verifyMachineToken(services, token, settings.audiences)
  const isAccepted =
    stated && !stated.cnf && isFromAcceptedClient(settings, services.config.publicUrl, stated)
  if (!isAccepted) return 'unauthenticated'
  const { findMachine } = await import('../oauth/machine-tokens.ts')
  const machine = await findMachine(services, stated)
  if (!machine) return 'unauthenticated'
  const claims = { sub: stated.sub, ...machine.permissions, ...machine.organization }
  return { claims, clientId: stated.client_id, clientScopes: machine.scopes, endsAt: stated.exp * 1000 }
}

const identifyOrganization = async (services: Services, credential: string): Promise<Identification> => {
  const { describeOrganizationCaller, findOrganizationCaller } = await import(
    '../organizations/find-token.ts'
  )
  const caller = await findOrganizationCaller(services, credential)
  if (!caller) return 'unauthenticated'
  const endsAt = caller.token.expiresAt ?? Number.POSITIVE_INFINITY
  return { claims: describeOrganizationCaller(caller), clientScopes: [], endsAt }
}

/** Every client can get tokens for the service itself, so they are worth nothing to the APIs of products. */
const isFromAcceptedClient = (
  { clients }: AuthorizerSettings,
  publicUrl: string,
  { client_id, aud }: Pick<AccessTokenClaims, 'client_id' | 'aud'>,
): boolean =>
  (clients === undefined || clients.includes(client_id)) &&
  (client_id === ownClientId || !isOwnAudience(publicUrl, aud))

/** The organization that a request names. Only authorizers that declare it read it. */
export const readNamedOrganization = (
  { organization }: AuthorizerSettings,
  { headers }: AuthorizerRequest,
): string | undefined => (organization ? headers[organizationHeader.toLowerCase()] : undefined)

const describeCaller = async (
  services: Services,
  settings: AuthorizerSettings,
  request: AuthorizerRequest,
  found: Principal | undefined,
): Promise<UserCaller | 'unauthenticated'> => {
  if (!found) return 'unauthenticated'
  const named = readNamedOrganization(settings, request)
  const principal = named === undefined ? found : await enter(services, found, named)
  return {
    principal,
    claims: await buildUserClaims(services, principal),
    isJwt: false,
    endsAt: getCredentialEnd(services, principal),
  }
}

/** The caller in the organization that they name. If they are not in it, they stay in none. */
const enter = async (services: Services, principal: Principal, named: string): Promise<ActingPrincipal> => {
  // Loaded on demand, because many products have no organizations.
  const { enterNamedOrganization } = await import('../organizations/named-organization.ts')
  return (await enterNamedOrganization(services, principal, named)) ?? principal
}
