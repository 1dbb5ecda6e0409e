import { providerClockSkewMs, unknownAuthenticationMs } from '../../../kernel/limits/connection-limits.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import { isAuthnContextEnough } from '../connection-rules.ts'
import { createConnectionError } from '../errors.ts'
import { toAccountName } from '../profile.ts'
import type { ProvenIdentity } from '../proven-identity.records.ts'
import { isPublic } from '../public-connections.ts'
import type { Received } from '../sign-in-protocol.ts'
import { isSubject, readAuthnClass, readIdentity } from './claims.ts'
import { type Claims, getClaim } from './get-claim.ts'
import {
  createFetchProblem,
  decryptClientSecret,
  findFetchError,
  getRedirectUri,
  openIdentityProvider,
} from './identity-provider.ts'
import type { OIDCAnswerForm, OIDCAnswerQuery } from './models.ts'
import { getProviderRow } from './providers/rows.ts'
import type { OidcConnection } from './records.ts'
import { asksForTime, deriveFromBrowser } from './start-sign-in.ts'

/** The parameters that the browser brings from an identity provider, in an address or in a form. */
export type OidcAnswer =
  | (OIDCAnswerQuery & { readonly mode: 'query'; readonly user?: undefined })
  | (OIDCAnswerForm & { readonly mode: 'form_post' })

export type ReceivedAnswer = Received<OidcAnswer>

/**
 * Exchanges the code of an answer, and returns the user that the identity provider names. The sign-in must have been taken
 * before, so that one answer counts at most. `onClaims` is called with the claims of a valid ID token.
 *
 * @throws AppError `login_failed` with the reason if anything about the answer is not valid
 * @throws AppError `upstream_failed` if the identity provider cannot be reached
 */
export const checkAnswer = async (
  services: Services,
  connection: OidcConnection,
  { answer, flow, browserSecret }: ReceivedAnswer,
  onClaims?: (claims: Claims) => void,
): Promise<ProvenIdentity> => {
  const refuse = (reason: string, sentence: string) =>
    createConnectionError('login_failed', connection, reason, sentence)
  if (flow.issuer !== connection.issuer)
    throw refuse('used_or_late', 'The connection was changed in the meantime. Sign in again.')
  const row = getProviderRow(connection)
  if (answer.mode !== row.answer.mode)
    throw refuse('invalid_answer', 'The answer of the identity provider came in another way than it should.')
  const named =
    answer.user === undefined || row.answer.mode === 'query' ? {} : row.answer.readUser(answer.user)
  if (named === undefined)
    throw refuse(
      'invalid_answer',
      'What the identity provider said about your name is not valid. Sign in again.',
    )
  if (answer.error !== undefined && answer.code === undefined)
    throw refuse('provider_refused', 'The identity provider did not sign you in.')
  const { claims, tokens } = await fetchClaims(services, connection, {
    answer,
    flow,
    browserSecret,
  }).catch((error: unknown) => {
    throw toRefusal(services, connection, error)
  })
  onClaims?.(claims)
  const sub = getClaim(claims, 'sub')
  const account = row.nameAccount(connection, claims)
  if (!isSubject(sub) || !isSubject(account))
    throw refuse('invalid_answer', 'The identity provider did not name you as it should.')
  const { hosted_domain } = connection
  const hd = getClaim(claims, 'hd')
  if (hosted_domain !== null && (typeof hd !== 'string' || hd.toLowerCase() !== hosted_domain))
    throw refuse('hosted_domain', 'Your account there does not belong to the organization.')
  const authTime = getClaim(claims, 'auth_time')
  const authenticatedAt = readAuthenticationTime(services, connection, authTime)
  if (authenticatedAt === undefined)
    throw refuse('authentication_time', 'The identity provider sent a time of sign-in that is not valid.')
  const lacksTime = authTime === undefined && asksForTime(connection)
  if (flow.forceAuthn && (lacksTime || authenticatedAt < flow.startedAt - providerClockSkewMs))
    throw refuse('force_authn', 'The identity provider did not ask you to sign in again.')
  if (!isAuthnContextEnough(connection, readAuthnClass(claims)))
    throw refuse('authn_context', 'The identity provider did not sign you in in a way that is accepted here.')
  const identity: ProvenIdentity = {
    ...readIdentity(
      connection,
      { ...named, ...claims },
      { sub: account, authenticatedAt, receivedAt: services.now() },
    ),
    ...(authTime === undefined && isPublic(connection) && { isTimeUnknown: true }),
  }
  if (!row.keepsRefreshToken) return identity
  const { sealRefreshToken } = await import('./refresh-tokens.ts')
  const name = toAccountName(services, connection, identity)
  return {
    ...identity,
    ...omitUndefined({ refreshToken: await sealRefreshToken(services, connection, name, tokens) }),
  }
}

/**
 * Without `auth_time`, no one knows when the user signed in there. It then counts as long ago, so that it proves nothing
 * where a recent proof is needed. Public providers such as Google never send it. The time is then that of their answer, because their people
 * could not change anything here otherwise, and `isTimeUnknown` says so. Undefined if the claim is not a time, or in the future.
 */
const readAuthenticationTime = (
  { now }: Services,
  connection: OidcConnection,
  authTime: unknown,
): number | undefined => {
  if (authTime === undefined) return isPublic(connection) ? now() : now() - unknownAuthenticationMs
  if (typeof authTime !== 'number' || !Number.isFinite(authTime) || authTime < 0) return undefined
  const at = Math.floor(authTime * 1000)
  return at > now() + providerClockSkewMs ? undefined : Math.min(at, now())
}

interface Fetched {
  readonly claims: Claims
  readonly tokens: { readonly refresh_token?: string }
}

/** The claims of the valid ID token, and those of userinfo if the ID token has no address. Some providers have an API for both. */
const fetchClaims = async (
  services: Services,
  connection: OidcConnection,
  { answer: { code, state, iss }, flow, browserSecret }: ReceivedAnswer,
): Promise<Fetched> => {
  const library = await import('openid-client')
  const provider = await openIdentityProvider(
    services,
    connection,
    await decryptClientSecret(services, connection),
  )
  const { user, metadata } = getProviderRow(connection)
  const isTemplate = metadata.from === 'template'
  if (isTemplate && iss !== undefined && !metadata.isTenantIssuer(connection, iss))
    throw createOtherIssuerError(connection)
  // The library compares it with the template. Until there is an ID token, nobody knows the tenant.
  const expectedIss = isTemplate && iss !== undefined ? provider.serverMetadata().issuer : iss
  const url = new URL(getRedirectUri(services.config.publicUrl, connection.id))
  for (const [name, value] of Object.entries({ code, state, iss: expectedIss }))
    if (value !== undefined) url.searchParams.set(name, value)
  const checks = {
    pkceCodeVerifier: deriveFromBrowser('code-verifier', browserSecret, flow.id),
    expectedState: flow.id,
  }
  if (user.from === 'api') {
    const { access_token: token } = await library.authorizationCodeGrant(provider, url, checks)
    return { claims: (await user.fetchClaims(library, provider, connection, token)) ?? {}, tokens: {} }
  }
  const tokens = await library.authorizationCodeGrant(provider, url, {
    ...checks,
    expectedNonce: deriveFromBrowser('nonce', browserSecret, flow.id),
    idTokenExpected: true,
  })
  const claims: Claims = tokens.claims() ?? {}
  if (isTemplate && iss !== undefined && iss !== getClaim(claims, 'iss'))
    throw createOtherIssuerError(connection)
  if (user.userinfo === 'never') return { claims, tokens }
  const { userinfo_endpoint: userinfo } = provider.serverMetadata()
  const sub = getClaim(claims, 'sub')
  if (getClaim(claims, 'email') !== undefined || userinfo === undefined || !isSubject(sub))
    return { claims, tokens }
  const more: Claims = await library.fetchUserInfo(provider, tokens.access_token, sub)
  // What the ID token says is signed, and counts first.
  return { claims: { ...more, ...claims }, tokens }
}

const createOtherIssuerError = (connection: OidcConnection) =>
  createConnectionError(
    'login_failed',
    connection,
    'invalid_answer',
    'The answer of the identity provider is for another organization. Sign in again, or ask an administrator.',
  )

const toRefusal = ({ log }: Services, connection: OidcConnection, error: unknown): unknown => {
  const failed = findFetchError(error)
  if (failed) return createFetchProblem(failed)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!code.startsWith('OAUTH_') && !(error instanceof Error && error.name === 'ClientError')) return error
  log.warn('oidc_connection.answer_refused', { connection: connection.id, code })
  const refusal =
    code === 'OAUTH_RESPONSE_BODY_ERROR'
      ? createConnectionError(
          'login_failed',
          connection,
          'token_refused',
          'The identity provider did not accept the code of this sign-in. Sign in again.',
        )
      : createConnectionError(
          'login_failed',
          connection,
          'invalid_answer',
          'The answer of the identity provider is not valid. Sign in again, or ask an administrator.',
        )
  refusal.cause = error
  return refusal
}
