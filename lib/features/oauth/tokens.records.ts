import { createHash } from 'node:crypto'
import { isAbsent, isPresent, type Update } from '../../kernel/table/expressions.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import {
  oidcAssertionKey,
  oidcCodeKey,
  oidcGrantKey,
  oidcRefreshTokenKey,
} from '../../kernel/table/keys/oidc-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { minute, toSeconds } from '../../kernel/util/time.ts'
import { buildGrantStep, type OidcGrantRecord } from './grants.records.ts'

export type OidcTokenKind = 'code' | 'refresh_token'

const keyOf: Readonly<Record<OidcTokenKind, (hash: string) => Key>> = {
  code: oidcCodeKey,
  refresh_token: oidcRefreshTokenKey,
}

/** The hash that a code, a refresh token or a completed interaction is stored under. */
export const hashOidcValue = (value: string): string => createHash('sha256').update(value).digest('base64url')

/** Finds a code or refresh token, also if it was used or has expired. Its grant can have ended. */
export const findOidcToken = (
  table: Table,
  kind: OidcTokenKind,
  value: string,
): Promise<OidcTokenRecord | undefined> =>
  findRecord(table, oidcTokenCodec, keyOf[kind](hashOidcValue(value)))

/** @param keptUntil epoch milliseconds: until then, a second use is noticed */
const buildTokenStep = (
  kind: OidcTokenKind,
  value: string,
  token: OidcTokenRecord,
  keptUntil: number,
): Step => ({
  put: {
    ...keyOf[kind](hashOidcValue(value)),
    ...oidcTokenCodec.encode(token),
    expires_at: toSeconds(keptUntil),
  },
  condition: isAbsent,
})

/** Stores a code together with the grant that it stands for, and with `extraSteps`. */
export const storeOidcCode = (
  table: Table,
  code: string,
  token: OidcTokenRecord,
  grant: OidcGrantRecord,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    buildGrantStep(grant),
    // Its second use ends the tokens that the first one gave, as long as they live.
    buildTokenStep('code', code, token, grant.expiresAt),
    ...extraSteps,
  ])

/**
 * Stores a refresh token, with `extraSteps`. Returns false if its grant has ended or one of them fails, so that a concurrent
 * end leaves no token behind.
 */
export const storeOidcRefreshToken = (
  table: Table,
  value: string,
  token: OidcTokenRecord,
  extraSteps: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      { check: oidcGrantKey(token.grantId), condition: isPresent },
      buildTokenStep('refresh_token', value, token, token.expiresAt),
      ...extraSteps,
    ]),
  )

/** Uses a code or refresh token. Of any number of concurrent callers, one gets true. */
export const useOidcToken = (
  table: Table,
  kind: OidcTokenKind,
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
  return wasCommitted(table.update(keyOf[kind](hashOidcValue(value)), changes))
}

/** What the library of the provider stores with a code or a refresh token. */
export type OidcPayload = Readonly<Record<string, unknown>>

/** A code or a refresh token. It is stored under its hash, and ends with its grant. */
export interface OidcTokenRecord {
  readonly grantId: string
  readonly payload: OidcPayload
  /** Epoch milliseconds, like all times here. */
  readonly expiresAt: number
  /** When it was used. A second use ends the grant. */
  readonly usedAt?: number
  /** Of a used refresh token: with its value, it gives the next one. */
  readonly salt?: string
}

export const oidcTokenCodec = createCodec<OidcTokenRecord>('OpenID Connect token', {
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
          ...oidcAssertionKey(hashOidcValue(JSON.stringify([kind, clientId, jti]))),
          // Clocks differ, so it is kept a little longer than it works.
          expires_at: toSeconds(expiresAtMs + minute),
        },
        condition: isAbsent,
      },
    ]),
  )
