import { randomBytes } from 'node:crypto'
import { isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { oidcGrantKey } from '../../kernel/table/keys/oidc-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'

/** Creates the ID of a new grant: 192 random bits. */
export const createGrantId = (): string => randomBytes(24).toString('base64url')

/** Stores a grant. */
export const putOidcGrant = (table: Table, grant: OidcGrantRecord): Promise<void> =>
  table.put({
    ...oidcGrantCodec.encode(grant),
    // Last, because a grant that was read has the key of its item.
    ...oidcGrantKey(grant.id),
    expires_at: toSeconds(grant.expiresAt),
  })

/** Builds the step that stores a new grant together with what gives its tokens. */
export const buildGrantStep = (grant: OidcGrantRecord): Step => ({
  put: {
    ...oidcGrantCodec.encode(grant),
    ...oidcGrantKey(grant.id),
    expires_at: toSeconds(grant.expiresAt),
  },
  condition: isAbsent,
})

/** Finds a grant that was not deleted and has not expired. What it depends on can have ended since. */
export const findOidcGrant = async (
  table: Table,
  id: string,
  nowMs: number,
): Promise<OidcGrantRecord | undefined> => {
  const grant = await findRecord(table, oidcGrantCodec, oidcGrantKey(id))
  return grant && nowMs < grant.expiresAt ? grant : undefined
}

/** Ends a grant with its codes and tokens. Returns false if it had ended already. */
export const deleteOidcGrant = (
  table: Table,
  id: string,
  extraSteps: readonly Step[] = [],
): Promise<boolean> =>
  wasCommitted(table.transact([{ delete: oidcGrantKey(id), condition: isPresent }, ...extraSteps]))

/**
 * What a user granted a client in one authorization. Codes, refresh tokens and access tokens depend on it: they end with
 * the grant, and with everything that the grant names.
 */
export interface OidcGrantRecord {
  /** Random. It contains no dot, because identifiers of access tokens are `<id>.<random>`. */
  readonly id: string
  readonly clientId: string
  /** The user of the tokens: during impersonation, the impersonated user. */
  readonly userId: number
  /** The session of the authorization. During impersonation it belongs to the administrator. */
  readonly session: { readonly userId: number; readonly hash: string }
  /** The identifier of the session in tokens. */
  readonly sid: string
  readonly scopes: readonly string[]
  /** How often the user had ended the access of the client in this session before: see `session-apps.records.ts`. */
  readonly ends: number
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly expiresAt: number
}

export const oidcGrantCodec = createCodec<OidcGrantRecord>('OpenID Connect grant', {
  id: 'string',
  clientId: 'string',
  userId: 'number',
  session: 'map',
  sid: 'string',
  scopes: 'list',
  createdAt: 'number',
  expiresAt: 'number',
})
