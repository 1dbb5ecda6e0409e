import { isAbsent } from '../../kernel/table/expressions.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import {
  scimAddressKey,
  scimAddressPrefix,
  scimBindingKey,
  scimExternalIdKey,
  scimExternalIdPrefix,
  scimFormerNameKey,
  scimFormerUserKey,
  scimIdentityKey,
  scimMatchKey,
  scimPartition,
  scimUserKey,
  scimUserNameKey,
} from '../../kernel/table/keys/scim-keys.ts'
import { readAll } from '../../kernel/table/listing.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type OrElse, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { buildCountSteps } from './counts.records.ts'

/*
 * The people that the directory of a connection sends. A person is not an account: the first sign-in through the connection binds the
 * two, or a request of the directory about somebody who has signed in. From then on, the hash of their name at the identity provider leads
 * to the person.
 */

/** What ended somebody here, other than their own act. */
export interface ScimEnd {
  /** The directory, or somebody or something here whose word it cannot take back. */
  readonly by: 'directory' | 'here'
  /** Epoch milliseconds, like all times here. */
  readonly at: number
  /** Whether everything has ended. Until then, the next request of the directory goes on. */
  readonly isComplete: boolean
  /** Whether the directory disabled the account. */
  readonly hasDisabledUser?: true
  /** The roles of the membership that the directory ended. */
  readonly roles?: readonly string[]
}

/** What somebody answered whose account a person of the directory became. */
export interface ScimAgreement {
  readonly userId: number
  /** Whether the directory may change the name of the account. */
  readonly agrees: boolean
  /** The keys of the user attributes that it may change as well. */
  readonly attributes?: readonly string[]
  readonly at: number
}

export interface ScimUserRecord {
  readonly id: string
  readonly connectionId: number
  /** As the directory writes it. It is unique in the connection, without case. */
  readonly userName: string
  readonly externalId?: string
  /** Whether the person may sign in through the connection. */
  readonly isActive: boolean
  /** The lower-case addresses, to find the person by. */
  readonly addresses: readonly string[]
  /** The values of the attributes, as JSON. */
  readonly values: string
  readonly createdAt: number
  readonly changedAt: number
  /** Increases with each change. */
  readonly version: number
  /** The account here. Missing until the first sign-in. */
  readonly userId?: number
  /** The hash of the name at the identity provider. */
  readonly identity?: string
  /** Whether the first sign-in made the account. */
  readonly madeUser?: true
  /** Somebody here said whose account it is, and the person has not come back since. */
  readonly assigned?: ScimAssignment
  /** Missing until the user answered. Nobody asks about an account that the first sign-in made. */
  readonly agreement?: ScimAgreement
  /** Missing for those who are active. */
  readonly end?: ScimEnd
}

/** An account to which the next sign-in of a person leads, also with another name at the identity provider. */
export interface ScimAssignment {
  /** Whether the directory disabled the account when the person left. */
  readonly hasDisabledUser?: true
}

const codec = createCodec<ScimUserRecord>('person of a directory', {
  id: 'string',
  connectionId: 'number',
  userName: 'string',
  isActive: 'boolean',
  addresses: 'list',
  values: 'string',
  version: 'number',
})

export const decodeScimUser = codec.decode

/** A name as it is compared: RFC 7643 has `userName` without case. */
export const normalizeScimName = (name: string): string => name.normalize('NFKC').toLowerCase()

/** What names a person. Two people of a connection cannot have the same `userName`. */
export class ScimNameTaken extends Error {
  constructor() {
    super('another person of the connection has this userName')
    this.name = 'ScimNameTaken'
  }
}

export const findScimUser = async (
  table: Table,
  connectionId: number,
  id: string,
): Promise<ScimUserRecord | undefined> => findRecord(table, codec, scimUserKey(connectionId, id))

/** The people with these IDs, in their order, without those that are gone. */
export const findScimUsers = async (
  table: Table,
  connectionId: number,
  ids: readonly string[],
): Promise<readonly ScimUserRecord[]> =>
  (
    await readAll(
      table,
      ids.map((id) => scimUserKey(connectionId, id)),
    )
  ).flatMap((item) => (item ? [codec.decode(item)] : []))

const idCodec = createCodec<{ readonly id: string }>('mark of a person of a directory', { id: 'string' })

const findMarked = async (
  table: Table,
  connectionId: number,
  key: Key,
): Promise<ScimUserRecord | undefined> => {
  const mark = await findRecord(table, idCodec, key)
  return mark && findScimUser(table, connectionId, mark.id)
}

export const findScimUserByName = async (
  table: Table,
  connectionId: number,
  userName: string,
): Promise<ScimUserRecord | undefined> =>
  findMarked(table, connectionId, scimUserNameKey(connectionId, normalizeScimName(userName)))

/** The most people with the same external ID or address that are read. */
const mostAlike = 100

const findByPrefix = async (
  table: Table,
  connectionId: number,
  prefix: string,
): Promise<readonly ScimUserRecord[]> => {
  const items = await table.page({
    pk: scimPartition(connectionId),
    from: prefix,
    to: `${prefix}~`,
    limit: mostAlike,
  })
  return findScimUsers(
    table,
    connectionId,
    items.map(({ sk }) => sk.slice(prefix.length)),
  )
}

/** The people with an ID of the directory. Directories do not keep it unique. */
export const findScimUsersByExternalId = (table: Table, connectionId: number, externalId: string) =>
  findByPrefix(table, connectionId, scimExternalIdPrefix('user', externalId))

export const findScimUsersByAddress = (table: Table, connectionId: number, address: string) =>
  findByPrefix(table, connectionId, scimAddressPrefix(address.toLowerCase()))

/** The person of an account at the identity provider, also one whom the directory deleted. */
export const findScimUserOfIdentity = (
  table: Table,
  connectionId: number,
  identity: string,
): Promise<KnownScimUser | undefined> =>
  findMarkedOrFormer(table, connectionId, scimIdentityKey(connectionId, identity))

/** A person to whom an account or an identity leads. */
export interface KnownScimUser {
  readonly person: ScimUserRecord
  /** Whether the directory deleted them. */
  readonly isDeleted: boolean
}

const findMarkedOrFormer = async (
  table: Table,
  connectionId: number,
  key: Key,
): Promise<KnownScimUser | undefined> => {
  const mark = await findRecord(table, idCodec, key)
  if (!mark) return undefined
  const [present, former] = await table.getMany([
    scimUserKey(connectionId, mark.id),
    scimFormerUserKey(connectionId, mark.id),
  ])
  const item = present ?? former
  return item && { person: codec.decode(item), isDeleted: present === undefined }
}

/** The person of a connection whom a user is. */
export const findScimUserOf = (
  table: Table,
  connectionId: number,
  userId: number,
): Promise<KnownScimUser | undefined> =>
  findMarkedOrFormer(table, connectionId, scimBindingKey(userId, connectionId))

/** The deleted person with this name and this ID in the directory. */
export const findFormerScimUser = async (
  table: Table,
  connectionId: number,
  { userName, externalId }: Pick<ScimUserRecord, 'userName' | 'externalId'>,
): Promise<ScimUserRecord | undefined> => {
  if (externalId === undefined) return undefined
  const mark = await findRecord(
    table,
    idCodec,
    scimFormerNameKey(connectionId, normalizeScimName(userName), externalId),
  )
  return mark && findRecord(table, codec, scimFormerUserKey(connectionId, mark.id))
}

/**
 * Who signed in with a value that the connection compares, before the directory sent the person. Both sides write it, each on the condition
 * that the other did not since it looked.
 */
export interface ScimMatch {
  readonly userId?: number
  readonly identity?: string
  readonly count: number
}

const matchCodec = createCodec<ScimMatch>('match of a directory', { count: 'number' })

export const findScimMatch = async (table: Table, connectionId: number, value: string): Promise<ScimMatch> =>
  (await findRecord(table, matchCodec, scimMatchKey(connectionId, value))) ?? { count: 0 }

/** Builds the step that fails with `EditConflict` if the other side wrote since `seen` was read. */
export const buildMatchStep = (
  connectionId: number,
  value: string,
  seen: ScimMatch,
  signedIn: Pick<ScimMatch, 'userId' | 'identity'> = {},
): Step => ({
  put: {
    ...seen,
    ...omitUndefined(signedIn),
    ...scimMatchKey(connectionId, value),
    count: seen.count + 1,
  },
  condition: (x) => (seen.count === 0 ? isAbsent(x) : `${x.path('count')} = ${x.value(seen.count)}`),
  orElse: () => new EditConflict(),
})

/** Builds the steps by which an account and an identity lead to a person. They fail if either leads to another one. */
export const buildBindingSteps = (
  { connectionId, id }: Pick<ScimUserRecord, 'connectionId' | 'id'>,
  { userId, identity }: { readonly userId: number; readonly identity: string | undefined },
  replaced: string = id,
): readonly Step[] =>
  [
    ...(identity === undefined ? [] : [scimIdentityKey(connectionId, identity)]),
    scimBindingKey(userId, connectionId),
  ].map((key) => ({
    put: { ...key, id },
    condition: (x) =>
      `${isAbsent(x)} OR ${x.path('id')} = ${x.value(id)} OR ${x.path('id')} = ${x.value(replaced)}`,
    orElse: () => new EditConflict(),
  }))

/** Builds the step of a sign-in that fails if the directory changed the person since they were read. */
export const buildUnchangedScimUserStep = (
  { connectionId, id, version }: ScimUserRecord,
  orElse: OrElse = () => new EditConflict(),
): Step => ({
  check: scimUserKey(connectionId, id),
  condition: (x) => `${x.path('version')} = ${x.value(version)}`,
  orElse,
})

const toItem = (record: ScimUserRecord) => ({
  ...omitUndefined(codec.encode(record)),
  ...scimUserKey(record.connectionId, record.id),
})

/** Builds the steps that store a new person. @throws ScimNameTaken */
export const buildNewScimUserSteps = (record: ScimUserRecord): readonly Step[] => [
  { put: toItem(record), condition: isAbsent },
  ...buildNameSteps(undefined, record),
  ...buildRowSteps(undefined, record),
  ...buildCountSteps(record.connectionId, { user: 1 }),
]

/** Builds the steps that change a person as they were read. They fail with `EditConflict` or ScimNameTaken. */
export const buildEditScimUserSteps = (
  before: ScimUserRecord,
  after: Omit<ScimUserRecord, 'version'>,
): readonly Step[] => {
  const next = { ...after, version: before.version + 1 }
  return [
    { put: toItem(next), condition: isVersion(before), orElse: () => new EditConflict() },
    ...buildNameSteps(before, next),
    ...buildRowSteps(before, next),
  ]
}

/**
 * Builds the steps that delete a person as they were read. One with an account stays as a former one, so that their identity never leads
 * to a new account.
 */
export const buildDeleteScimUserSteps = (record: ScimUserRecord): readonly Step[] => {
  const { connectionId, id, userName, externalId, userId } = record
  return [
    {
      delete: scimUserKey(connectionId, id),
      condition: isVersion(record),
      orElse: () => new EditConflict(),
    },
    ...buildNameSteps(record, undefined),
    ...buildRowSteps(record, undefined),
    ...buildCountSteps(connectionId, { user: -1 }),
    ...(userId === undefined
      ? []
      : [{ put: { ...omitUndefined(codec.encode(record)), ...scimFormerUserKey(connectionId, id) } }]),
    ...(userId === undefined || externalId === undefined
      ? []
      : [{ put: { ...scimFormerNameKey(connectionId, normalizeScimName(userName), externalId), id } }]),
  ]
}

/** Builds the steps that forget a deleted person, who came back. */
export const buildForgetFormerSteps = ({
  connectionId,
  id,
  userName,
  externalId = '',
  version,
}: ScimUserRecord): readonly Step[] => [
  {
    delete: scimFormerUserKey(connectionId, id),
    condition: (x) => `${x.path('version')} = ${x.value(version)}`,
    orElse: () => new EditConflict(),
  },
  { delete: scimFormerNameKey(connectionId, normalizeScimName(userName), externalId) },
]

const isVersion =
  ({ version }: ScimUserRecord): NonNullable<Extract<Step, { put: unknown }>['condition']> =>
  (x) =>
    `${x.path('version')} = ${x.value(version)}`

const buildNameSteps = (
  before: ScimUserRecord | undefined,
  after: ScimUserRecord | undefined,
): readonly Step[] => {
  const [old, fresh] = [before, after].map((one) => one && normalizeScimName(one.userName))
  if (old === fresh) return []
  const connectionId = (after ?? before)?.connectionId ?? 0
  return [
    ...(fresh === undefined
      ? []
      : [
          {
            put: { ...scimUserNameKey(connectionId, fresh), id: after?.id },
            condition: isAbsent,
            orElse: () => new ScimNameTaken(),
          },
        ]),
    ...(old === undefined ? [] : [{ delete: scimUserNameKey(connectionId, old) }]),
  ]
}

/** Builds the steps for the rows by which a person is found. */
const buildRowSteps = (
  before: ScimUserRecord | undefined,
  after: ScimUserRecord | undefined,
): readonly Step[] => {
  const [old, fresh] = [before, after].map(listRowKeys)
  const isIn = (keys: readonly Key[] = [], { sk }: Key): boolean => keys.some((one) => one.sk === sk)
  return [
    ...(old ?? []).filter((key) => !isIn(fresh, key)).map((key) => ({ delete: key })),
    ...(fresh ?? []).filter((key) => !isIn(old, key)).map((key) => ({ put: { ...key } })),
  ]
}

const listRowKeys = (record: ScimUserRecord | undefined): readonly Key[] => {
  if (!record) return []
  const { connectionId, id, externalId, addresses } = record
  return [
    ...(externalId === undefined ? [] : [scimExternalIdKey(connectionId, 'user', externalId, id)]),
    ...[...new Set(addresses)].map((address) => scimAddressKey(connectionId, address, id)),
  ]
}
