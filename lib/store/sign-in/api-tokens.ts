import { ConflictError } from '../../core/errors.ts'
import { isAbsent, isPresent, type Update } from '../engine/expressions.ts'
import {
  apiTokenCountKey,
  apiTokenKey,
  apiTokenMarkerKey,
  apiTokenPrefix,
  counterKey,
  userKey,
} from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict, wasCommitted } from '../engine/transaction-errors.ts'
import { type ApiTokenRecord, apiTokenCodec } from '../records/api-token-record.ts'
import { findWithUser } from '../records/find-with-user.ts'
import { userMarkerCodec } from '../records/markers.ts'
import type { UserRecord } from '../records/user-record.ts'

/**
 * Adds a token, together with the steps that `along` makes for its id.
 *
 * @throws ConflictError `api_token_taken` if a token, of this user or another, has the same value.
 * @throws ConflictError `too_many_api_tokens` if the user has `most` tokens.
 */
export const createApiToken = async (
  table: Table,
  token: Omit<ApiTokenRecord, 'id' | 'version' | 'lastUsedAt'>,
  most: number,
  along: (id: number) => readonly Step[],
): Promise<ApiTokenRecord> => {
  const id = await table.next(counterKey('api-token'))
  const record: ApiTokenRecord = { ...token, id, version: 1, lastUsedAt: null }
  const count: Update = (x) => {
    const path = x.path('count')
    return {
      set: [`${path} = if_not_exists(${path}, ${x.value(0)}) + ${x.value(1)}`],
      condition: `attribute_not_exists(${path}) OR ${path} < ${x.value(most)}`,
    }
  }
  const orElse = () => new ConflictError('api_token_taken', 'another API token has this value')
  await table.transact([
    {
      update: apiTokenCountKey(token.userId),
      changes: count,
      orElse: () => new ConflictError('too_many_api_tokens', `the user has ${most} API tokens`),
    },
    { put: { ...apiTokenKey(token.userId, token.hash), ...record }, condition: isAbsent, orElse },
    // A user who was deleted concurrently can use no value at all.
    { check: userKey(token.userId), condition: isPresent, orElse },
    ...(token.isChosen
      ? [{ put: { ...apiTokenMarkerKey(token.hash), userId: token.userId }, condition: isAbsent, orElse }]
      : []),
    ...along(id),
  ])
  return record
}

/** Who owns a chosen value. It never changes: a value that was given up and taken again is another's only then. */
export const findChosenOwner = async (table: Table, hash: string): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, apiTokenMarkerKey(hash)))?.userId

/** Reads a token and its owner in one call. */
export const findApiTokenAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ token: ApiTokenRecord | undefined; user: UserRecord | undefined }> => {
  const [token, user] = await findWithUser(table, apiTokenCodec, apiTokenKey(userId, hash), userId)
  return { token, user }
}

/** All tokens of a user: few enough to be read at once. */
export const findApiTokens = async (table: Table, userId: number): Promise<readonly ApiTokenRecord[]> =>
  (await table.list(userKey(userId).pk, apiTokenPrefix)).map(apiTokenCodec.decode)

/** @throws EditConflict when it was changed or deleted since. */
export const renameApiToken = async (
  table: Table,
  token: ApiTokenRecord,
  name: string,
  along: readonly Step[],
): Promise<ApiTokenRecord> => {
  const version = token.version + 1
  const changes: Update = (x) => ({
    set: [`${x.path('name')} = ${x.value(name)}`, `${x.path('version')} = ${x.value(version)}`],
    condition: `${x.path('version')} = ${x.value(token.version)}`,
  })
  const orElse = () => new EditConflict()
  await table.transact([{ update: apiTokenKey(token.userId, token.hash), changes, orElse }, ...along])
  return { ...token, name, version }
}

/**
 * Deletes a token, and with it at the same moment the tickets that were made by it. Returns false when it was gone.
 */
export const deleteApiToken = async (
  table: Table,
  token: ApiTokenRecord,
  nowMs: number,
  along: readonly Step[],
): Promise<boolean> =>
  wasCommitted(
    table.transact([
      { delete: apiTokenKey(token.userId, token.hash), condition: isPresent },
      {
        update: apiTokenCountKey(token.userId),
        changes: (x) => ({ set: [`${x.path('count')} = ${x.path('count')} - ${x.value(1)}`] }),
      },
      {
        update: userKey(token.userId),
        changes: (x) => ({
          set: [`${x.path('endedSessions', token.hash)} = ${x.value(nowMs)}`],
          condition: isPresent(x),
        }),
      },
      ...(token.isChosen ? [{ delete: apiTokenMarkerKey(token.hash) }] : []),
      ...along,
    ]),
  )

/** Notes that a token was used; one that was deleted meanwhile stays deleted. */
export const markApiTokenUsed = async (table: Table, token: ApiTokenRecord, nowMs: number): Promise<void> => {
  await table.update(apiTokenKey(token.userId, token.hash), (x) => ({
    set: [`${x.path('lastUsedAt')} = ${x.value(nowMs)}`],
    condition: isPresent(x),
  }))
}
