import { type TokenUse, toUseChanges } from '../../accounts/callers/credential-use.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { scimTokensPerConnection } from '../../kernel/limits/connection-limits.ts'
import { decreaseCount, increaseCount, isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { connectionKey, counterKey, userKey } from '../../kernel/table/keys/keys.ts'
import {
  scimPartition,
  scimTokenCountKey,
  scimTokenKey,
  scimTokenPrefix,
} from '../../kernel/table/keys/scim-keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step, wasCommitted } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { type Connection, decodeConnection } from '../connections/records.ts'
import { buildUnchangedMembershipStep, type Membership } from '../organizations/memberships.records.ts'

/** A token of the directory of a connection. It belongs to no user. Only a hash of its value is stored. */
export interface ScimTokenRecord extends TokenUse {
  readonly hash: string
  readonly id: number
  readonly connectionId: number
  /** Who created it, or the link with which a holder did. */
  readonly createdBy: number
  /** The ID of the set-up link that it was created with. It ends if somebody else takes the place of its holder. */
  readonly setupLink?: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

const codec = createCodec<ScimTokenRecord>('token of a directory', {
  hash: 'string',
  id: 'number',
  connectionId: 'number',
  createdBy: 'number',
  createdAt: 'number',
})

export const decodeScimToken = codec.decodeOptional

/** Who creates a token. Their session and their membership must still be those that were checked. */
export interface ScimTokenMaker {
  readonly user: UserRecord
  /** Undefined for those who act for the service. */
  readonly membership: Membership | undefined
}

export const allocateScimTokenId = async (table: Table): Promise<number> =>
  (await table.nextIds(counterKey('api-token'))).first

/** Builds the steps that store a token, and fail with `too_many_scim_tokens` if the connection has as many as it can. */
export const buildScimTokenSteps = (record: ScimTokenRecord): readonly Step[] => [
  {
    update: scimTokenCountKey(record.connectionId),
    changes: increaseCount(scimTokensPerConnection),
    orElse: () =>
      new ConflictError('too_many_scim_tokens', `the connection has ${scimTokensPerConnection} tokens`),
  },
  {
    put: { ...omitUndefined(codec.encode(record)), ...scimTokenKey(record.connectionId, record.hash) },
    condition: isAbsent,
  },
]

/**
 * Creates a token.
 *
 * @throws EditConflict if the connection, the session or the membership ended
 * @throws ConflictError `too_many_scim_tokens`
 */
export const createScimToken = async (
  table: Table,
  token: Omit<ScimTokenRecord, 'id' | 'lastUsedAt'>,
  { user, membership }: ScimTokenMaker,
  buildSteps: (id: number) => readonly Step[],
): Promise<ScimTokenRecord> => {
  const id = await allocateScimTokenId(table)
  const record: ScimTokenRecord = { ...token, id, lastUsedAt: null }
  const orElse = () => new EditConflict()
  await table.transact([
    { check: connectionKey(token.connectionId), condition: isPresent, orElse },
    {
      check: userKey(user.id),
      condition: (x) => `${x.path('credentialEpoch')} = ${x.value(user.credentialEpoch)}`,
      orElse,
    },
    ...(membership ? [buildUnchangedMembershipStep(membership)] : []),
    ...buildScimTokenSteps(record),
    ...buildSteps(id),
  ])
  return record
}

/** All tokens of a connection to show them, the oldest first. */
export const listScimTokens = async (
  table: Table,
  connectionId: number,
): Promise<readonly ScimTokenRecord[]> =>
  decodeListed(table, codec, await table.list(scimPartition(connectionId), scimTokenPrefix)).toSorted(
    (a, b) => a.id - b.id,
  )

/** Reads a token with its connection, in one table call. */
export const findTokenAndConnection = async (
  table: Table,
  connectionId: number,
  hash: string,
): Promise<{
  readonly token: ScimTokenRecord | undefined
  readonly connection: Connection | undefined
}> => {
  const [token, connection] = await table.getMany([
    scimTokenKey(connectionId, hash),
    connectionKey(connectionId),
  ])
  return { token: codec.decodeOptional(token), connection: decodeConnection(connection) }
}

/** Deletes a token. Returns false if it was deleted already. */
export const deleteScimToken = (
  table: Table,
  { connectionId, hash }: Pick<ScimTokenRecord, 'connectionId' | 'hash'>,
  extraSteps: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      { delete: scimTokenKey(connectionId, hash), condition: isPresent },
      { update: scimTokenCountKey(connectionId), changes: decreaseCount },
      ...extraSteps,
    ]),
  )

/** Stores a use of a token. @throws ConditionFailed if it was deleted. */
export const storeScimTokenUse = async (
  table: Table,
  { connectionId, hash }: ScimTokenRecord,
  use: TokenUse,
): Promise<void> => {
  await table.update(scimTokenKey(connectionId, hash), toUseChanges(use))
}
