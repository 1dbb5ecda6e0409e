import { createHash } from 'node:crypto'
import { buildWeakTag } from '../../http/answer-from-cache.ts'
import { createBrowserSecret } from '../../http/cookies.ts'
import { readKnownDevice } from '../../http/device-cookie.ts'
import { readOAuthCookie } from '../../http/oauth-cookie.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, invalidRequest } from '../../kernel/errors/errors.ts'
import { jwtCharacters, jwtLifetimeMs, keySetMaxAgeMs } from '../../kernel/limits/limits.ts'
import { ownClientId, toGuestAudience } from '../../kernel/settings/jwt-audiences.ts'
import { listParameters } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { takePushedRequest } from './authorization-requests.records.ts'
import { applyClaimsRequest } from './claims.ts'
import { countStart } from './count-start.ts'
import { isSignedIn } from './grants.ts'
import type { oidc } from './operations.ts'
import { createRefusal, isSilent, runAuthorization } from './run-authorization.part.ts'
import { getKeySet } from './signing-keys/key-set.ts'
import { createKeyRequests } from './signing-keys/request-keys.ts'
import { createMissingKeysWith } from './signing-keys/signing-key.ts'
import { buildUserClaims, getCredentialEnd } from './tokens/claims.ts'
import { signAccessToken } from './tokens/sign-tokens.ts'

/**
 * Returns the metadata by which clients find the endpoints. It is the same for everyone, so every cache may keep it. Both
 * documents are the same (RFC 8414 5).
 */
const describeProvider = async (services: Services) => {
  const { runProvider } = await import('./provider/run-provider.ts')
  const path = '/.well-known/openid-configuration'
  const response = await runProvider({ services }, { method: 'GET', path })
  const body = {
    ...JSON.parse(response.body),
    // The library lists all that it knows. Clients are registered with these two.
    response_modes_supported: ['query', 'form_post'],
  }
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`
  const headers = {
    'cache-control': `public, max-age=${keySetMaxAgeMs / 1000}`,
    'cross-origin-resource-policy': 'cross-origin',
    etag,
  }
  return { status: 200, body, headers } as const
}

export const getOpenidConfiguration: UseCase<typeof oidc.getOpenidConfiguration> = (_, services) =>
  describeProvider(services)

export const getAuthorizationServerMetadata: UseCase<typeof oidc.getAuthorizationServerMetadata> = (
  _,
  services,
) => describeProvider(services)

/** Returns the public keys. They are the same for everyone, so every cache may keep them. */
export const getJwks: UseCase<typeof oidc.getJwks> = async (_, services) => {
  const keys = [...(await getKeySet(services))]
  // An empty set is only seen during a first deployment, and must not stay in a cache.
  if (keys.length === 0) return { status: 200, body: { keys } }
  const etag = buildWeakTag(keys.map(({ kid }) => kid).join(' '))
  return {
    status: 200,
    body: { keys },
    headers: {
      'cache-control': `public, max-age=${keySetMaxAgeMs / 1000}`,
      // Browsers may read public keys from every origin.
      'cross-origin-resource-policy': 'cross-origin',
      etag,
    },
  }
}

/** Creates a JWT for the caller's user. It is not stored anywhere. */
export const createJwt: UseCase<typeof oidc.createJwt> = async ({ body, principal }, services) => {
  const { publicUrl, jwtAudiences } = services.config
  const { audience = publicUrl } = body
  if (audience !== publicUrl && !jwtAudiences.includes(audience))
    throw invalidRequest([{ field: 'audience', message: 'is not an audience that this service allows' }])
  const nowMs = services.now()
  const issuedAt = Math.floor(nowMs / 1000)
  const end = Math.min(nowMs + jwtLifetimeMs, getCredentialEnd(services, principal))
  const expiresAt = Math.floor(end / 1000)
  if (expiresAt <= issuedAt)
    throw new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
  const claims = await buildUserClaims(services, principal)
  const isGuest = principal.session?.accessLink !== undefined
  const terms = {
    audience: isGuest ? toGuestAudience(audience) : audience,
    clientId: ownClientId,
    issuedAt,
    expiresAt,
  }
  const token = await signAccessToken(services, claims, terms)
  if (token.length > jwtCharacters)
    throw new AppError('conflict', {
      reason: 'token_too_large',
      detail: 'The groups and permissions of the user do not fit into a JWT.',
    })
  return { status: 200, body: { token, token_type: 'Bearer', expires_in: expiresAt - issuedAt } }
}

/** What the addresses of pushed requests begin with (RFC 9126 2.2). */
const prefix = 'urn:ietf:params:oauth:request_uri:'

/** Whether an authorization names parameters that its client sent before. */
const isPushed = ({ request_uri: uri = '' }: Readonly<Record<string, string>>): boolean =>
  uri.startsWith(prefix)

/**
 * The parameters that an authorization stands for (RFC 9126 4). They work once, for the client that sent them, and no other
 * parameter of the browser counts. Undefined if they were used, have expired or never existed.
 */
const takePushedParameters = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  { request_uri: uri = '', client_id: clientId = '' }: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> => {
  const found = await takePushedRequest(table, uri.slice(prefix.length), { clientId, nowMs: now() })
  return found?.parameters
}

/** Redirects the browser to the client with a code, or to the sign-in page first. */
export const startAuthorization: UseCase<typeof oidc.startAuthorization> = async (
  { query, principal, cookies, context },
  services,
) => {
  const given = listParameters(query)
  const user = principal && isSignedIn(principal) ? principal : undefined
  // The answer to a silent request of a stranger is an expected one, which pages of products ask for often.
  if (!user && !isSilent(given)) {
    const device = readKnownDevice(services.config, cookies)
    await countStart(services, { address: context.address, device })
  }
  const pushed = isPushed(given) ? await takePushedParameters(services, given) : undefined
  if (isPushed(given) && !pushed) throw createRefusal(unknownRequest, undefined)
  return runAuthorization({
    services,
    context,
    principal: user,
    browser: readOAuthCookie(services.config, cookies) ?? createBrowserSecret(),
    parameters: pushed ?? applyClaimsRequest(given),
    wasPushed: pushed !== undefined,
  })
}

const unknownRequest = {
  error: 'invalid_request_uri',
  description: 'request_uri is invalid, has expired, or was used before',
}

const { JOB_BUS_NAME: jobBus } = process.env
// Local mode has no bus, and creates missing keys itself.
if (jobBus) createMissingKeysWith(createKeyRequests(jobBus))
