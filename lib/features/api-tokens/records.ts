import { type TokenUse, toUseChanges } from '../../accounts/callers/credential-use.records.ts'
import { buildSameSessionsStep } from '../../accounts/users/build-user-step.records.ts'
import { findWithUser } from '../../accounts/users/find-with-user.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import {
  decreaseCount,
  increaseCount,
  isAbsent,
  isPresent,
  type Update,
} from '../../kernel/table/expressions.ts'
import {
  apiTokenCountKey,
  apiTokenKey,
  apiTokenMarkerKey,
  apiTokenPrefix,
  counterKey,
  userKey,
} from '../../kernel/table/keys/keys.ts'
import { timedListing, timedListPartitions } from '../../kernel/table/keys/listing-keys.ts'
import {
  type ListEntry,
  type Page,
  type PageRequest,
  readFilteredPage,
  readPage,
} from '../../kernel/table/listing.ts'
import { mergeSources } from '../../kernel/table/merge-lists.ts'
import {
  createCodec,
  decodeListed,
  findRecord,
  readListed,
  userMarkerCodec,
} from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step, wasCommitted } from '../../kernel/table/transaction.ts'

export interface NewApiTokenOptions {
  /** How many tokens a user can have. */
  readonly limit: number
  /** The epoch of the session that creates the token. */
  readonly credentialEpoch: number
  readonly extraSteps: (id: number) => readonly Step[]
}

/**
 * Creates an API token.
 *
 * @throws EditConflict if the sessions of the user were ended concurrently
 * @throws ConflictError `too_many_api_tokens` if the user has `limit` tokens, `api_token_taken` if the value is in use.
 */
export const createApiToken = async (
  table: Table,
  token: Omit<ApiTokenRecord, 'id' | 'version' | 'lastUsedAt'>,
  { limit, credentialEpoch, extraSteps }: NewApiTokenOptions,
): Promise<ApiTokenRecord> => {
  const { first: id } = await table.nextIds(counterKey('api-token'))
  const record: ApiTokenRecord = { ...token, id, version: 1, lastUsedAt: null }
  const orElse = () => new ConflictError('api_token_taken', 'another API token has this value')
  await table.transact([
    {
      update: apiTokenCountKey(token.userId),
      changes: increaseCount(limit),
      orElse: () => new ConflictError('too_many_api_tokens', `the user has ${limit} API tokens`),
    },
    {
      put: {
        ...apiTokenKey(token.userId, token.hash),
        ...buildApiTokenListing(token),
        ...apiTokenCodec.encode(record),
      },
      condition: isAbsent,
      orElse,
    },
    // The user was deleted, or all of their sessions were ended, by another request.
    buildSameSessionsStep({ id: token.userId, credentialEpoch }, () => new EditConflict()),
    ...(token.isChosen
      ? [{ put: { ...apiTokenMarkerKey(token.hash), userId: token.userId }, condition: isAbsent, orElse }]
      : []),
    ...extraSteps(id),
  ])
  return record
}

/** The owner of a custom value. It changes only if the value is deleted and used again by another user. */
export const findChosenOwner = async (table: Table, hash: string): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, apiTokenMarkerKey(hash)))?.userId

/**
 * Reads a token and its owner in one call. The value of a token names the user who created it. If they were merged with
 * another user, a second call reads the token there.
 */
export const findApiTokenAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{ token: ApiTokenRecord | undefined; user: UserRecord | undefined }> => {
  const find = (ownerId: number) => findWithUser(table, apiTokenCodec, apiTokenKey(ownerId, hash), ownerId)
  let [token, user] = await find(userId)
  for (let hop = 0; user?.isMerged && user.successorId !== undefined && hop < maxMerges; hop++)
    [token, user] = await find(user.successorId)
  return { token, user }
}

/** How often the owner of a token can be merged before its value does not lead to them any more. */
const maxMerges = 3

/** All tokens of a user to show them, without those that cannot be read. */
export const listApiTokens = async (table: Table, userId: number): Promise<readonly ApiTokenRecord[]> =>
  decodeListed(table, apiTokenCodec, await table.list(userKey(userId).pk, apiTokenPrefix))

/** All tokens of a user. Their number is limited, so one call reads them. */
export const findApiTokens = async (table: Table, userId: number): Promise<readonly ApiTokenRecord[]> =>
  (await table.list(userKey(userId).pk, apiTokenPrefix)).map(apiTokenCodec.decode)

/** @throws EditConflict if the token was changed or deleted since it was read. */
export const renameApiToken = async (
  table: Table,
  token: ApiTokenRecord,
  name: string,
  extraSteps: readonly Step[],
): Promise<ApiTokenRecord> => {
  const version = token.version + 1
  const changes: Update = (x) => ({
    set: [`${x.path('name')} = ${x.value(name)}`, `${x.path('version')} = ${x.value(version)}`],
    condition: `${x.path('version')} = ${x.value(token.version)}`,
  })
  const orElse = () => new EditConflict()
  await table.transact([{ update: apiTokenKey(token.userId, token.hash), changes, orElse }, ...extraSteps])
  return { ...token, name, version }
}

/** Builds the step that sets when a token stops to work. Undefined for never. It fails if the token was deleted. */
export const buildTokenExpiryStep = (token: ApiTokenRecord, expiresAt: number | undefined): Step => ({
  update: apiTokenKey(token.userId, token.hash),
  changes: (x) => ({
    ...(expiresAt === undefined
      ? { remove: [x.path('expiresAt')] }
      : { set: [`${x.path('expiresAt')} = ${x.value(expiresAt)}`] }),
    condition: isPresent(x),
  }),
  orElse: () => new EditConflict(),
})

/** Lets a token expire. @throws EditConflict if it was deleted, or got another end, since it was read */
export const shortenApiToken = async (
  table: Table,
  token: ApiTokenRecord,
  expiresAt: number,
  extraSteps: readonly Step[],
): Promise<ApiTokenRecord> => {
  const changes: Update = (x) => ({
    set: [`${x.path('expiresAt')} = ${x.value(expiresAt)}`],
    condition:
      token.expiresAt === undefined
        ? `${isPresent(x)} AND attribute_not_exists(${x.path('expiresAt')})`
        : `${x.path('expiresAt')} = ${x.value(token.expiresAt)}`,
  })
  const orElse = () => new EditConflict()
  await table.transact([{ update: apiTokenKey(token.userId, token.hash), changes, orElse }, ...extraSteps])
  return { ...token, expiresAt }
}

/** Gives a token other scopes, which only documents do. @throws EditConflict if it was changed or deleted since it was read */
export const setApiTokenScopes = (
  table: Table,
  token: ApiTokenRecord,
  scopes: readonly string[] | null,
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    {
      update: apiTokenKey(token.userId, token.hash),
      changes: (x) => ({
        set: [
          `${x.path('scopes')} = ${x.value(scopes)}`,
          `${x.path('version')} = ${x.value(token.version + 1)}`,
        ],
        condition: `${x.path('version')} = ${x.value(token.version)}`,
      }),
      orElse: () => new EditConflict(),
    },
    ...extraSteps,
  ])

/** Deletes a token. Its tickets end at the same moment. Returns false if it was deleted already. */
export const deleteApiToken = (
  table: Table,
  token: ApiTokenRecord,
  extraSteps: readonly Step[],
): Promise<boolean> => wasCommitted(table.transact([...buildRemoveApiTokenSteps(token), ...extraSteps]))

/** Builds the steps that delete a token. They fail if it was deleted. */
export const buildRemoveApiTokenSteps = (token: ApiTokenRecord): readonly Step[] => [
  { delete: apiTokenKey(token.userId, token.hash), condition: isPresent },
  {
    update: apiTokenCountKey(token.userId),
    changes: decreaseCount,
  },
  ...(token.isChosen ? [{ delete: apiTokenMarkerKey(token.hash) }] : []),
]

/** Builds the steps that give a token to another user. They fail if the token was deleted or moved. */
export const buildMoveApiTokenSteps = (token: ApiTokenRecord, userId: number): readonly Step[] => {
  const item = {
    ...buildApiTokenListing(token),
    ...apiTokenCodec.encode({ ...token, userId }),
    ...apiTokenKey(userId, token.hash),
  }
  return [
    { delete: apiTokenKey(token.userId, token.hash), condition: isPresent },
    { put: item },
    {
      update: apiTokenCountKey(userId),
      changes: (x) => {
        const path = x.path('count')
        return { set: [`${path} = if_not_exists(${path}, ${x.value(0)}) + ${x.value(1)}`] }
      },
    },
    ...(token.isChosen ? [{ put: { ...apiTokenMarkerKey(token.hash), userId } }] : []),
  ]
}

/** Stores a use of a token. @throws ConditionFailed if it was deleted. */
export const storeApiTokenUse = async (table: Table, token: ApiTokenRecord, use: TokenUse): Promise<void> => {
  await table.update(apiTokenKey(token.userId, token.hash), toUseChanges(use))
}

/**
 * An API token, in the partition of its owner, so that one call reads both. A custom value does not contain the ID of
 * its owner. It has a marker, which names the owner and keeps the value unique.
 */
export interface ApiTokenRecord extends TokenUse {
  readonly hash: string
  readonly id: number
  readonly userId: number
  readonly name: string
  /** Whether the caller chose the value. */
  readonly isChosen: boolean
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  /** The operations and permissions that the token is limited to. Null means all that its owner may. */
  readonly scopes: readonly string[] | null
  /** From then on the token does not authenticate. Missing means never. */
  readonly expiresAt?: number
  readonly version: number
}

export const hasApiTokenExpired = ({ expiresAt }: ApiTokenRecord, nowMs: number): boolean =>
  expiresAt !== undefined && expiresAt <= nowMs

/** The entry of a token in the list of all tokens. It never changes, so uses and new names do not write to the index. */
export const buildApiTokenListing = ({
  hash,
  createdAt,
}: Pick<ApiTokenRecord, 'hash' | 'createdAt'>): ReturnType<typeof timedListing> =>
  timedListing('api-token', hash, createdAt)

export const apiTokenCodec = createCodec<ApiTokenRecord>('API token', {
  hash: 'string',
  id: 'number',
  userId: 'number',
  name: 'string',
  isChosen: 'boolean',
  scopes: 'list or null',
  version: 'number',
})

/** Reads a page of the API tokens of all users that `keep` accepts, in order of time. It may be short and still say where to continue. */
export const readApiTokenPage = (
  table: Table,
  request: PageRequest,
  keep: ((token: ApiTokenRecord) => boolean) | undefined,
): Promise<Page<ApiTokenRecord>> => {
  const lists = timedListPartitions('api-token').map((pk) => ({ pk, index: 'listing' as const }))
  const reader = mergeSources(table, lists)
  const read = (entries: readonly ListEntry[]) =>
    readListed(
      table,
      apiTokenCodec,
      entries.map(({ key }) => key),
    )
  if (!keep) return readPage(table, reader, request, read)
  const { isDescending } = request
  return readFilteredPage((after, limit) => reader({ after, limit, isDescending }), request, read, keep)
}
