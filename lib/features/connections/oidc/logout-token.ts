import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import {
  discoveriesCached,
  providerClockSkewMs,
  providerLogoutMaxAgeMs,
} from '../../../kernel/limits/connection-limits.ts'
import type { Services } from '../../../services.ts'
import { FetchError } from '../fetch-error.ts'
import { isSubject } from './claims.ts'
import { createFetchProblem, openIdentityProvider } from './identity-provider.ts'
import { getProviderRow } from './providers/rows.ts'
import type { OidcConnection } from './records.ts'

/** Whom an identity provider signs out: a user, one of their sessions there, or both. */
export interface IdentityProviderLogout {
  readonly sub: string | undefined
  readonly sid: string | undefined
  /** The ID of the token. */
  readonly jti: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
}

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** Asymmetric ones only: the client secret is no key. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/**
 * Reads a logout token of an identity provider (OpenID Connect Back-Channel Logout 2.4 and 2.6). What it states is compared
 * before a key is fetched. Undefined if anything about it is not valid.
 *
 * @throws AppError `upstream_failed` if the keys cannot be fetched
 */
export const readLogoutToken = async (
  services: Services,
  connection: OidcConnection,
  token: string,
): Promise<IdentityProviderLogout | undefined> => {
  // A provider without ID tokens has no keys, so it cannot sign a sign-out either.
  if (getProviderRow(connection).user.from !== 'id_token') return undefined
  if (!claimsToBeFor(connection, [connection.client_id], token)) return undefined
  const keys = await findKeys(services, connection)
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: connection.issuer,
      audience: connection.client_id,
      algorithms,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: providerLogoutMaxAgeMs / 1000,
      clockTolerance: providerClockSkewMs / 1000,
      currentDate: new Date(services.now()),
    })
    return toLogout(payload)
  } catch (error) {
    if (error instanceof FetchError) throw createFetchProblem(error)
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** Whether a JWT states the issuer of a connection and one of the audiences. It is compared before a key is fetched. */
export const claimsToBeFor = (
  { issuer }: Pick<OidcConnection, 'issuer'>,
  audiences: readonly string[],
  token: string,
): boolean => {
  try {
    const { iss, aud } = decodeJwt(token)
    return iss === issuer && [aud].flat().some((one) => one !== undefined && audiences.includes(one))
  } catch {
    return false
  }
}

/** The claims of a logout token. A nonce would make it an ID token, which must never sign anyone out. */
const toLogout = (payload: JWTPayload): IdentityProviderLogout | undefined => {
  const { sub, sid, jti, iat = 0, events } = payload
  const isLogout =
    typeof events === 'object' && events !== null && !Array.isArray(events) && Object.hasOwn(events, event)
  const isNamed = (sub !== undefined || sid !== undefined) && [sub, sid].every(isNameOrMissing)
  if (!isLogout || !isNamed || Object.hasOwn(payload, 'nonce')) return undefined
  if (typeof jti !== 'string' || jti === '') return undefined
  return { sub, sid: sid as string | undefined, jti, issuedAt: iat * 1000 }
}

const isNameOrMissing = (name: unknown): boolean => name === undefined || isSubject(name)

/** Key sets in the memory of a warm function. The library fetches each at most twice a minute, however many tokens arrive. */
const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** The keys of an identity provider. */
export const findKeys = async (services: Services, connection: OidcConnection) => {
  const { jwks_uri: url = '' } = (await openIdentityProvider(services, connection)).serverMetadata()
  const known = keySets.get(url)
  if (known) return known
  const { createSafeFetch } = await import('./safe-fetch.ts')
  const send = createSafeFetch(services.config)
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: (address, { headers, method }) =>
      send(address, { method, headers: Object.fromEntries(headers), body: undefined, redirect: 'manual' }),
  })
  if (keySets.size >= discoveriesCached) keySets.clear()
  keySets.set(url, keys)
  return keys
}
