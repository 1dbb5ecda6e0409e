import { errors, jwtVerify } from 'jose'
import { appleNotificationMaxAgeMs, providerClockSkewMs } from '../../../kernel/limits/connection-limits.ts'
import type { Services } from '../../../services.ts'
import { FetchError } from '../fetch-error.ts'
import { isSubject } from './claims.ts'
import { getClaim, parseObject } from './get-claim.ts'
import { createFetchProblem } from './identity-provider.ts'
import { claimsToBeFor, findKeys } from './logout-token.ts'
import type { OidcConnection } from './records.ts'

/*
 * What Apple reports about accounts: "Processing changes for Sign in with Apple accounts" at developer.apple.com.
 * The claim `events` of the JWT is a text with JSON, which names one event.
 */

/** A notification with a valid signature. */
export interface AppleNotice {
  /** What changed. Undefined for a type that this service does not know. */
  readonly change: AppleChange | undefined
  readonly sub: string
  /** The ID of the notification. */
  readonly jti: string
  /** Epoch milliseconds. */
  readonly issuedAt: number
}

export type AppleChange = 'consent_revoked' | 'account_deleted' | 'email_disabled' | 'email_enabled'

/** The types of Apple. A deletion has two names: one in its documents, and one among developers. */
const changes: ReadonlyMap<unknown, AppleChange> = new Map([
  ['consent-revoked', 'consent_revoked'],
  ['account-delete', 'account_deleted'],
  ['account-deleted', 'account_deleted'],
  ['email-disabled', 'email_disabled'],
  ['email-enabled', 'email_enabled'],
])

/**
 * The names of this service in notifications. Apple sends them for the App ID that the address is registered with, and names that or the
 * Services ID of the sign-in.
 */
const listAudiences = ({
  client_id: clientId,
  apple_app_id: appId,
}: Pick<OidcConnection, 'client_id' | 'apple_app_id'>): readonly [string, ...string[]] =>
  appId == null ? [clientId] : [clientId, appId]

/**
 * Reads a notification. Undefined if anything about it is not valid.
 *
 * @throws AppError `upstream_failed` if the keys cannot be fetched
 */
export const readAppleNotification = async (
  services: Services,
  connection: OidcConnection,
  token: string,
): Promise<AppleNotice | undefined> => {
  const { issuer } = connection
  const audiences = listAudiences(connection)
  if (!claimsToBeFor(connection, audiences, token)) return undefined
  try {
    const { payload } = await jwtVerify(token, await findKeys(services, connection), {
      issuer,
      audience: [...audiences],
      algorithms: ['RS256'],
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: appleNotificationMaxAgeMs / 1000,
      clockTolerance: providerClockSkewMs / 1000,
      currentDate: new Date(services.now()),
    })
    const { aud, jti, iat = 0, events } = payload
    const event = typeof events === 'string' ? parseObject(events) : undefined
    const sub = event && getClaim(event, 'sub')
    const type = event && getClaim(event, 'type')
    if (typeof aud !== 'string' || !isSubject(jti) || !isSubject(sub) || typeof type !== 'string')
      return undefined
    return { change: changes.get(type), sub, jti, issuedAt: iat * 1000 }
  } catch (error) {
    if (error instanceof FetchError) throw createFetchProblem(error)
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
