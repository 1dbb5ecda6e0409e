import { randomBytes } from 'node:crypto'
import { isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { oauthGrantKey } from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'

/** Creates the ID of a new grant: 192 random bits. */
export const createGrantId = (): string => randomBytes(24).toString('base64url')

/** Stores a grant. */
export const putOAuthGrant = (table: Table, grant: OAuthGrantRecord): Promise<void> =>
  table.put({
    ...oauthGrantCodec.encode(grant),
    // Last, because a grant that was read has the key of its item.
    ...oauthGrantKey(grant.id),
    expires_at: toSeconds(grant.expiresAt),
  })

/** Builds the step that stores a new grant together with what gives its tokens. */
export const buildGrantStep = (grant: OAuthGrantRecord): Step => ({
  put: {
    ...oauthGrantCodec.encode(grant),
    ...oauthGrantKey(grant.id),
    expires_at: toSeconds(grant.expiresAt),
  },
  condition: isAbsent,
})

/** Finds a grant that was not deleted and has not expired. What it depends on can have ended since. */
export const findOAuthGrant = async (
  table: Table,
  id: string,
  nowMs: number,
): Promise<OAuthGrantRecord | undefined> => {
  const grant = await findRecord(table, oauthGrantCodec, oauthGrantKey(id))
  return grant && nowMs < grant.expiresAt ? grant : undefined
}

/** Ends a grant with its codes and tokens. Returns false if it had ended already. */
export const deleteOAuthGrant = (
  table: Table,
  id: string,
  extraSteps: readonly Step[] = [],
): Promise<boolean> =>
  wasCommitted(table.transact([{ delete: oauthGrantKey(id), condition: isPresent }, ...extraSteps]))

/**
 * What a user granted a client in one authorization. Codes, refresh tokens and access tokens depend on it: they end with
 * the grant, and with everything that the grant names.
 */
export interface OAuthGrantRecord {
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
  /** How often the user had ended the access of the client in this session before: see `client-access.records.ts`. */
  readonly ends: number
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly expiresAt: number
}

export const oauthGrantCodec = createCodec<OAuthGrantRecord>('OpenID Connect grant', {
  id: 'string',
  clientId: 'string',
  userId: 'number',
  session: 'map',
  sid: 'string',
  scopes: 'list',
  createdAt: 'number',
  expiresAt: 'number',
})
