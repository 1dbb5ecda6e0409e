import type { JWTPayload } from 'jose'
import * as errors from 'jose/errors'
import { jwtVerify } from 'jose/jwt/verify'
import { jwtCharacters, signedTokenLifetimeMs } from '../../../kernel/limits/limits.ts'
import { ownClientId } from '../../../kernel/settings/jwt-audiences.ts'
import type { Services } from '../../../services.ts'
import { getKeySet } from '../signing-keys/key-set.ts'
import { isSubject, type MachineClaims, nameMachine, type UserClaims } from './claims.ts'

/** What every access token states besides its user. */
interface TokenClaims {
  readonly aud: string
  readonly client_id: string
  readonly jti: string
  /** Epoch seconds. */
  readonly iat: number
  readonly exp: number
  /** Separated by spaces. Missing in tokens that no client asked for. */
  readonly scope?: string
  /** The thumbprint of the key that the token is bound to (RFC 9449 6.1). */
  readonly cnf?: { readonly jkt: string }
}

/** A JWT access token with the signature of this service. */
export type AccessTokenClaims = Pick<UserClaims, 'sub' | 'groups' | 'permissions' | 'org_permissions'> &
  TokenClaims &
  JWTPayload & {
    /** Of tokens of `create_jwt` alone. Those of clients have a grant. */
    readonly sid?: string
    readonly act?: { readonly sub: string }
    readonly auth_time?: number
  }

/**
 * Verifies signature, type, issuer, audience and times of a JWT access token. Returns undefined if any of them is wrong.
 * A valid token says nothing about what happened since it was issued: see `findTokenPrincipal`.
 */
export const verifyAccessToken = async (
  services: Services,
  token: string,
  /** The token must be for one of them. Undefined if any audience is accepted. */
  audiences: readonly string[] | undefined,
): Promise<AccessTokenClaims | undefined> => {
  const payload = await verifyToken(services, token, audiences)
  return payload && hasUserClaims(payload) ? payload : undefined
}

/** A JWT access token that a client got for itself. */
export type MachineTokenClaims = MachineClaims & TokenClaims & JWTPayload

/** Like `verifyAccessToken`, for tokens that a client got for itself. */
export const verifyMachineToken = async (
  services: Services,
  token: string,
  audiences: readonly string[] | undefined,
): Promise<MachineTokenClaims | undefined> => {
  const payload = await verifyToken(services, token, audiences)
  return payload && isMachine(payload) ? payload : undefined
}

const verifyToken = async (
  services: Services,
  token: string,
  audiences: readonly string[] | undefined,
): Promise<JWTPayload | undefined> => {
  if (token.length > jwtCharacters || !isCanonical(token)) return undefined
  const keys = await getKeySet(services)
  try {
    const { payload } = await jwtVerify(
      token,
      // Only own keys count. A key or an address of keys in the header of the token is ignored.
      ({ kid }) => {
        const jwk = keys.find((key) => key.kid === kid)
        if (!jwk) throw new errors.JWKSNoMatchingKey()
        return { ...jwk }
      },
      {
        algorithms: ['RS256'],
        typ: 'at+jwt',
        issuer: services.config.publicUrl,
        ...(audiences ? { audience: [...audiences] } : {}),
        requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id'],
        currentDate: new Date(services.now()),
      },
    )
    return hasTokenClaims(payload) && hasTimes(payload, services.now()) ? payload : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** One token has one spelling. Base64 decoders skip characters that they do not know, and unused bits at the end. */
const isCanonical = (token: string): boolean => {
  const parts = token.split('.')
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

/*
 * The signature proves that this service wrote the claims. Other forms than those that it writes are refused all the same,
 * so that anyone who got hold of a key for a moment cannot make tokens that last, or that only some verifiers accept.
 */

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
const isId = (value: unknown): boolean => typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Clocks of servers differ. */
const toleranceSeconds = 5

/** Whether the token states times that it could have been issued with. That it has not expired was checked before. */
const hasTimes = ({ iat, exp, auth_time }: JWTPayload, nowMs: number): boolean =>
  isTime(iat) &&
  isTime(exp) &&
  iat <= nowMs / 1000 + toleranceSeconds &&
  exp > iat &&
  exp - iat <= signedTokenLifetimeMs / 1000 &&
  (auth_time === undefined || isTime(auth_time))

/** Whether the token has one audience, and a client. */
const hasTokenClaims = ({ aud, jti, client_id, scope = '', cnf }: JWTPayload): boolean =>
  [aud, jti, client_id].every(isText) && typeof scope === 'string' && (cnf === undefined || isKey(cnf))

const isKey = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'jkt' in value && isText(value.jkt)

/** Whether the token states a user. */
const hasUserClaims = (payload: JWTPayload): payload is AccessTokenClaims => {
  const { sid, preferred_username, groups, act, access_link } = payload
  return (
    isPerson(payload, isOwn(payload)) &&
    (isOwn(payload) ? isText(sid) : sid === undefined) &&
    (preferred_username === undefined || isText(preferred_username)) &&
    isTextList(groups) &&
    hasPermissions(payload) &&
    (act === undefined || isActor(act, isOwn(payload))) &&
    (access_link === undefined || isTime(access_link))
  )
}

/** Whether the permissions have the form of their kind: those in an organization stand apart, and the other list is empty then. */
const hasPermissions = ({ permissions, org_permissions, org_id }: JWTPayload): boolean =>
  isTextList(permissions) &&
  (org_permissions === undefined
    ? true
    : org_id !== undefined && isTextList(org_permissions) && (permissions as readonly string[]).length === 0)

/** Whether the token states its client as the subject, and no user. */
const isMachine = (payload: JWTPayload): payload is MachineTokenClaims => {
  const { sub, client_id, org_id, sid, act, auth_time, preferred_username } = payload
  const isWithoutUser = [sid, act, auth_time, preferred_username].every((claim) => claim === undefined)
  return (
    isWithoutUser &&
    sub === nameMachine(String(client_id)) &&
    hasPermissions(payload) &&
    (org_id === undefined || isId(org_id))
  )
}

/** Whether it is a token of `create_jwt`. */
const isOwn = ({ client_id }: JWTPayload): boolean => client_id === ownClientId

const isActor = (value: unknown, isOfOwn: boolean): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { preferred_username }: { readonly preferred_username?: unknown } = value
  return isPerson(value, isOfOwn) && (isOfOwn ? isText(preferred_username) : preferred_username === undefined)
}

/** Whether an object names a user: by their ID, or for a client with subjects of another system by both. */
const isPerson = (
  { sub, user_id }: { readonly sub?: unknown; readonly user_id?: unknown },
  isOfOwn: boolean,
): boolean =>
  user_id === undefined ? isId(sub) : !isOfOwn && isId(user_id) && isSubject(sub) && sub !== user_id
