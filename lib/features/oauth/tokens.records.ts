import { createHash } from 'node:crypto'
import { isAbsent, isPresent, type Update } from '../../kernel/table/expressions.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import {
  oauthAssertionKey,
  oauthCodeKey,
  oauthGrantKey,
  oauthRefreshTokenKey,
} from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { minute, toSeconds } from '../../kernel/util/time.ts'
import { buildGrantStep, type OAuthGrantRecord } from './grants.records.ts'

export type OAuthTokenKind = 'code' | 'refresh_token'

const keyOf: Readonly<Record<OAuthTokenKind, (hash: string) => Key>> = {
  code: oauthCodeKey,
  refresh_token: oauthRefreshTokenKey,
}

/** The hash that a code, a refresh token or a completed interaction is stored under. */
export const hashOAuthValue = (value: string): string =>
  createHash('sha256').update(value).digest('base64url')

/** Finds a code or refresh token, also if it was used or has expired. Its grant can have ended. */
export const findOAuthToken = (
  table: Table,
  kind: OAuthTokenKind,
  value: string,
): Promise<OAuthTokenRecord | undefined> =>
  findRecord(table, oauthTokenCodec, keyOf[kind](hashOAuthValue(value)))

/** @param keptUntil epoch milliseconds: until then, a second use is noticed */
const buildTokenStep = (
  kind: OAuthTokenKind,
  value: string,
  token: OAuthTokenRecord,
  keptUntil: number,
): Step => ({
  put: {
    ...keyOf[kind](hashOAuthValue(value)),
    ...oauthTokenCodec.encode(token),
    expires_at: toSeconds(keptUntil),
  },
  condition: isAbsent,
})

/** Stores a code together with the grant that it stands for, and with `extraSteps`. */
export const storeOAuthCode = (
  table: Table,
  code: string,
  token: OAuthTokenRecord,
  grant: OAuthGrantRecord,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    buildGrantStep(grant),
    // Its second use ends the tokens that the first one gave, as long as they live.
    buildTokenStep('code', code, token, grant.expiresAt),
    ...extraSteps,
  ])

/**
 * Stores a refresh token, with `extraSteps`. Returns false if the grant that it needs has ended or one of them fails, so that a concurrent
 * end leaves no token behind.
 */
export const storeOAuthRefreshToken = (
  table: Table,
  value: string,
  token: OAuthTokenRecord,
  extraSteps: readonly Step[],
  neededGrantId: string = token.grantId,
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      { check: oauthGrantKey(neededGrantId), condition: isPresent },
      buildTokenStep('refresh_token', value, token, token.expiresAt),
      ...extraSteps,
    ]),
  )

/** Uses a code or refresh token. Of any number of concurrent callers, one gets true. */
export const useOAuthToken = (
  table: Table,
  kind: OAuthTokenKind,
  value: string,
  { usedAt, salt }: { readonly usedAt: number; readonly salt?: string },
): Promise<boolean> => {
  const changes: Update = (x) => ({
    set: [
      `${x.path('usedAt')} = ${x.value(usedAt)}`,
      ...(salt === undefined ? [] : [`${x.path('salt')} = ${x.value(salt)}`]),
    ],
    condition: `${isPresent(x)} AND attribute_not_exists(${x.path('usedAt')})`,
  })
  return wasCommitted(table.update(keyOf[kind](hashOAuthValue(value)), changes))
}

/** What the library of the provider stores with a code or a refresh token. */
export type OAuthPayload = Readonly<Record<string, unknown>>

/** A code or a refresh token. It is stored under its hash, and ends with its grant. */
export interface OAuthTokenRecord {
  readonly grantId: string
  readonly payload: OAuthPayload
  /** Epoch milliseconds, like all times here. */
  readonly expiresAt: number
  /** When it was used. A second use ends the grant. */
  readonly usedAt?: number
  /** Of a used refresh token: with its value, it gives the next one. */
  readonly salt?: string
}

export const oauthTokenCodec = createCodec<OAuthTokenRecord>('OpenID Connect token', {
  grantId: 'string',
  payload: 'map',
  expiresAt: 'number',
})

/** Notes that a client proved something by a JWT that counts once. Returns false if it did before. */
export const noteProof = (
  table: Table,
  kind: 'assertion' | 'dpop',
  { clientId, jti }: { readonly clientId: string; readonly jti: string },
  expiresAtMs: number,
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      {
        put: {
          ...oauthAssertionKey(hashOAuthValue(JSON.stringify([kind, clientId, jti]))),
          // Clocks differ, so it is kept a little longer than it works.
          expires_at: toSeconds(expiresAtMs + minute),
        },
        condition: isAbsent,
      },
    ]),
  )
