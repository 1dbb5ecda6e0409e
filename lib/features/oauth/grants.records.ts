import { randomBytes } from 'node:crypto'
import { isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import { oauthGrantKey, oauthRevokedTokenKey } from '../../kernel/table/keys/oauth-keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Item, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'

/** Creates the ID of a new grant: 192 random bits. */
export const createGrantId = (): string => randomBytes(24).toString('base64url')

/*
 * A refresh token can lead to a grant for another organization. If a code or refresh token of one of them is presented twice, or a
 * client revokes it, all of the authorization end: a thief may have gone on to any of them. So the ID of such a grant begins with that
 * of the first one, under which the end of all is noted.
 */

const readRootId = (id: string): string => id.split('~', 1)[0] ?? ''

/** The ID of the grant for another organization that a refresh token of this one leads to. */
export const createBranchId = ({ id }: Pick<OAuthGrantRecord, 'id'>, part: string): string =>
  `${readRootId(id)}~${part}`

/** The keys by which a grant is read, for `decodeOAuthGrant`. */
export const listGrantKeys = (id: string): readonly Key[] => [
  oauthGrantKey(id),
  ...(readRootId(id) === id ? [] : [oauthRevokedTokenKey(readRootId(id))]),
]

/** The grant among the items of `listGrantKeys`. Undefined if it was deleted or has expired. */
export const decodeOAuthGrant = (
  [item, end]: readonly (Item | undefined)[],
  nowMs: number,
): OAuthGrantRecord | undefined => {
  const grant = oauthGrantCodec.decodeOptional(item)
  return grant && !end && nowMs < grant.expiresAt ? grant : undefined
}

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
  const keys = listGrantKeys(id)
  return decodeOAuthGrant(
    keys.length === 1 ? [await table.get(oauthGrantKey(id))] : await table.getMany(keys),
    nowMs,
  )
}

/** Ends a grant and all that belong to the same authorization. Returns false if it had ended already. */
export const deleteOAuthGrants = (
  table: Table,
  { id, expiresAt }: Pick<OAuthGrantRecord, 'id' | 'expiresAt'>,
  extraSteps: readonly Step[] = [],
): Promise<boolean> => {
  const root = readRootId(id)
  return deleteOAuthGrant(table, id, [
    ...(root === id ? [] : [{ delete: oauthGrantKey(root) }]),
    { put: { ...oauthRevokedTokenKey(root), expires_at: toSeconds(expiresAt) } },
    ...extraSteps,
  ])
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
  /** Random parts. It contains no dot, because identifiers of access tokens are `<id>.<random>`. */
  readonly id: string
  readonly clientId: string
  /** The user of the tokens: during impersonation, the impersonated user. */
  readonly userId: number
  /** The session of the authorization. During impersonation it belongs to the administrator. */
  readonly session: { readonly userId: number; readonly hash: string }
  /** The identifier of the session in tokens. */
  readonly sid: string
  readonly scopes: readonly string[]
  /** The organization of the tokens. Missing without one. It never changes: another one is another grant. */
  readonly organizationId?: number | undefined
  /** The joining of the user there. The grant ends with it, also if they join again. Missing without an organization. */
  readonly joining?: string | undefined
  /** Where the user agreed. A device never leads to another organization, because its page cannot name one. */
  readonly origin: 'browser' | 'device'
  /** How often the user had ended the access of the client in this session before: see `client-access.records.ts`. */
  readonly ends: number
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly expiresAt: number
}

const oauthGrantCodec = createCodec<OAuthGrantRecord>('OpenID Connect grant', {
  id: 'string',
  clientId: 'string',
  userId: 'number',
  session: 'map',
  sid: 'string',
  scopes: 'list',
  origin: 'string',
  createdAt: 'number',
  expiresAt: 'number',
})
