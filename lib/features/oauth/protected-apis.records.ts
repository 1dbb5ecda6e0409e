import { createHash } from 'node:crypto'
import { ConflictError } from '../../kernel/errors/errors.ts'
import type { Language } from '../../kernel/i18n/languages.ts'
import { protectedApisMax } from '../../kernel/limits/limits.ts'
import { decreaseCount, increaseCount, isAbsent } from '../../kernel/table/expressions.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import {
  protectedApiAudienceKey,
  protectedApiCountKey,
  protectedApiKey,
} from '../../kernel/table/keys/oauth-keys.ts'
import { getIds, getListing, readEntries } from '../../kernel/table/listing.ts'
import { createCodec, findRecord, readListedByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import {
  allocateId,
  createWithId,
  deleteUniqueNameRecord,
  editUniqueNameRecord,
  type NewUniqueNameRecord,
  type UniqueNameKind,
  type UniqueNameRecord,
} from '../../kernel/table/unique-name-records.ts'
import type { Stored } from '../../kernel/util/object-fields.ts'
import type { APITexts, ProtectedAPI, ProtectedAPIUpdate } from './protected-apis.models.ts'

/** A text in the languages of the pages. English replaces those that are missing. */
export type ApiTexts = Stored<APITexts>

/** The text in a language, or else in English. */
export const chooseText = (texts: ApiTexts, language: Language): string => texts[language] ?? texts.en

/**
 * An API of a product, which accepts access tokens of clients (the protected resource of RFC 8707). What administrators set has
 * the names and values of the interface.
 */
export interface ProtectedApi
  extends UniqueNameRecord,
    Stored<Pick<ProtectedAPI, Exclude<keyof ProtectedAPIUpdate, 'name'>>> {
  /** The administrator who registered the API. Null for a document: see `lib/features/configuration`. */
  readonly createdBy: number | null
  /** Epoch milliseconds. */
  readonly createdAt: number
}

export const protectedApiKind: UniqueNameKind<ProtectedApi> = {
  name: 'protected-api',
  keyOf: protectedApiKey,
  codec: createCodec<ProtectedApi>('protected API', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    audience: 'string',
    permissions: 'list',
    scopes: 'list',
    unregistered_clients: 'boolean',
    createdBy: 'number or null',
    createdAt: 'number',
  }),
}

export const findProtectedApi = (table: Table, id: number): Promise<ProtectedApi | undefined> =>
  findRecord(table, protectedApiKind.codec, protectedApiKey(id))

/** Reads all APIs in order of ID. Takes two table calls. */
export const listProtectedApis = async (table: Table): Promise<readonly ProtectedApi[]> => {
  const entries = await readEntries(table, getListing(protectedApiKind.name, 'id'), {
    limit: protectedApisMax,
    isDescending: false,
  })
  const apis = await readListedByIds(table, protectedApiKind, getIds(entries))
  return apis.flatMap((api) => api ?? [])
}

/**
 * What tokens for an API may state, without the texts. It is stored by the audience, so that a request with a token, or for
 * one, reads it together with the client, and changes in one transaction with the API.
 */
export interface ApiRights {
  readonly id: number
  readonly permissions: readonly string[]
  readonly scopes: readonly Pick<ProtectedApi['scopes'][number], 'name' | 'permissions'>[]
  readonly unregistered_clients: boolean
}

const rightsCodec = createCodec<ApiRights>('protected API by audience', {
  id: 'number',
  permissions: 'list',
  scopes: 'list',
})

export const decodeApiRights = rightsCodec.decodeOptional

/** The key of the rights of an API. */
export const apiRightsKey = (audience: string): Key =>
  protectedApiAudienceKey(createHash('sha256').update(audience).digest('hex'))

/** Finds the rights of APIs by their audiences, in their order. Missing ones are undefined. Takes at most one table call. */
export const findApiRights = async (
  table: Table,
  audiences: readonly string[],
): Promise<readonly (ApiRights | undefined)[]> =>
  audiences.length === 0 ? [] : (await table.getMany(audiences.map(apiRightsKey))).map(decodeApiRights)

const buildRights = (
  { audience, permissions, scopes, unregistered_clients }: Omit<ProtectedApi, 'id' | 'version'>,
  id: number,
) => ({
  ...rightsCodec.encode({
    id,
    permissions: permissions.map(({ name }) => name),
    scopes: scopes.map(({ name, permissions: carried }) => ({ name, permissions: carried })),
    unregistered_clients,
  }),
  ...apiRightsKey(audience),
})

/**
 * Registers an API.
 *
 * @throws ConflictError `too_many_protected_apis` if there are `limit` APIs, and `audience_taken`
 * @throws NameTaken if another API has the name
 */
export const createProtectedApi = async (
  table: Table,
  fields: NewUniqueNameRecord<ProtectedApi>,
  { limit, buildSteps }: { readonly limit: number; readonly buildSteps: (id: number) => readonly Step[] },
): Promise<ProtectedApi> => {
  const id = await allocateId(table, protectedApiKind.name)
  const extraSteps: readonly Step[] = [
    {
      update: protectedApiCountKey,
      changes: increaseCount(limit),
      orElse: () => new ConflictError('too_many_protected_apis', `there are ${limit} APIs`),
    },
    {
      put: buildRights(fields, id),
      condition: isAbsent,
      orElse: () => new ConflictError('audience_taken', 'another API has this audience'),
    },
    ...buildSteps(id),
  ]
  return createWithId(table, protectedApiKind, { id, fields, extraSteps })
}

/**
 * Changes an API as it was read.
 *
 * @throws EditConflict if it was changed or deleted since
 * @throws NameTaken if another API has the new name
 */
export const editProtectedApi = (
  table: Table,
  api: ProtectedApi,
  changes: Partial<Omit<ProtectedApi, 'id' | 'version' | 'audience'>>,
  extraSteps: readonly Step[],
): Promise<ProtectedApi> =>
  editUniqueNameRecord(table, protectedApiKind, api, {
    changes,
    // The version of the record guards both.
    extraSteps: [{ put: buildRights({ ...api, ...changes }, api.id) }, ...extraSteps],
  })

/** Deletes an API. No more tokens are issued for it. @throws EditConflict if it was changed since it was read. */
export const deleteProtectedApi = (
  table: Table,
  api: ProtectedApi,
  extraSteps: readonly Step[],
): Promise<void> =>
  deleteUniqueNameRecord(table, protectedApiKind, api, [
    { update: protectedApiCountKey, changes: decreaseCount },
    { delete: apiRightsKey(api.audience) },
    ...extraSteps,
  ])
