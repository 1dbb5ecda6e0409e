import { isAbsent } from '../../kernel/table/expressions.ts'
import {
  scimExternalIdKey,
  scimExternalIdPrefix,
  scimGroupKey,
  scimGroupNameKey,
  scimMemberKey,
  scimMemberPrefix,
  scimMembershipKey,
  scimMembershipPrefix,
  scimPartition,
} from '../../kernel/table/keys/scim-keys.ts'
import { readAll } from '../../kernel/table/listing.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { buildCountSteps } from './counts.records.ts'
import { normalizeScimName } from './users.records.ts'

/*
 * The groups of a directory. A member is two rows: one of the group, and one of the person. A change of a member writes these two and not
 * the group, so that changes of two people never meet.
 */

export interface ScimGroupRecord {
  readonly id: string
  readonly connectionId: number
  /** It is unique in the connection, without case. */
  readonly displayName: string
  readonly externalId?: string
  /** The values of the attributes, as JSON, without the members. */
  readonly values: string
  readonly createdAt: number
  readonly changedAt: number
  readonly version: number
}

const codec = createCodec<ScimGroupRecord>('group of a directory', {
  id: 'string',
  connectionId: 'number',
  displayName: 'string',
  values: 'string',
  version: 'number',
})

export const decodeScimGroup = codec.decode

export class ScimGroupNameTaken extends Error {
  constructor() {
    super('another group of the connection has this displayName')
    this.name = 'ScimGroupNameTaken'
  }
}

export const findScimGroup = async (
  table: Table,
  connectionId: number,
  id: string,
): Promise<ScimGroupRecord | undefined> => findRecord(table, codec, scimGroupKey(connectionId, id))

/** The groups with these IDs, in their order, without those that are gone. */
export const findScimGroups = async (
  table: Table,
  connectionId: number,
  ids: readonly string[],
): Promise<readonly ScimGroupRecord[]> =>
  (
    await readAll(
      table,
      ids.map((id) => scimGroupKey(connectionId, id)),
    )
  ).flatMap((item) => (item ? [codec.decode(item)] : []))

const idCodec = createCodec<{ readonly id: string }>('mark of a group of a directory', { id: 'string' })

export const findScimGroupByName = async (
  table: Table,
  connectionId: number,
  displayName: string,
): Promise<ScimGroupRecord | undefined> => {
  const mark = await findRecord(
    table,
    idCodec,
    scimGroupNameKey(connectionId, normalizeScimName(displayName)),
  )
  return mark && findScimGroup(table, connectionId, mark.id)
}

/** The most groups with the same external ID that are read. */
const mostAlike = 100

export const findScimGroupsByExternalId = async (
  table: Table,
  connectionId: number,
  externalId: string,
): Promise<readonly ScimGroupRecord[]> => {
  const prefix = scimExternalIdPrefix('group', externalId)
  const items = await table.page({
    pk: scimPartition(connectionId),
    from: prefix,
    to: `${prefix}~`,
    limit: mostAlike,
  })
  return findScimGroups(
    table,
    connectionId,
    items.map(({ sk }) => sk.slice(prefix.length)),
  )
}

const toItem = (record: ScimGroupRecord) => ({
  ...omitUndefined(codec.encode(record)),
  ...scimGroupKey(record.connectionId, record.id),
})

/** Builds the steps that store a new group. @throws ScimGroupNameTaken */
export const buildNewScimGroupSteps = (record: ScimGroupRecord): readonly Step[] => [
  { put: toItem(record), condition: isAbsent },
  ...buildNameSteps(undefined, record),
  ...buildRowSteps(undefined, record),
  ...buildCountSteps(record.connectionId, { group: 1 }),
]

/** Builds the steps that change a group as it was read. They fail with `EditConflict` or ScimGroupNameTaken. */
export const buildEditScimGroupSteps = (
  before: ScimGroupRecord,
  after: Omit<ScimGroupRecord, 'version'>,
): readonly Step[] => {
  const next = { ...after, version: before.version + 1 }
  return [
    {
      put: toItem(next),
      condition: (x) => `${x.path('version')} = ${x.value(before.version)}`,
      orElse: () => new EditConflict(),
    },
    ...buildNameSteps(before, next),
    ...buildRowSteps(before, next),
  ]
}

/** Builds the steps that delete a group as it was read. Its members are removed before. */
export const buildDeleteScimGroupSteps = (record: ScimGroupRecord): readonly Step[] => [
  {
    delete: scimGroupKey(record.connectionId, record.id),
    condition: (x) => `${x.path('version')} = ${x.value(record.version)}`,
    orElse: () => new EditConflict(),
  },
  ...buildNameSteps(record, undefined),
  ...buildRowSteps(record, undefined),
  ...buildCountSteps(record.connectionId, { group: -1 }),
]

const buildNameSteps = (
  before: ScimGroupRecord | undefined,
  after: ScimGroupRecord | undefined,
): readonly Step[] => {
  const [old, fresh] = [before, after].map((one) => one && normalizeScimName(one.displayName))
  if (old === fresh) return []
  const connectionId = (after ?? before)?.connectionId ?? 0
  return [
    ...(fresh === undefined
      ? []
      : [
          {
            put: { ...scimGroupNameKey(connectionId, fresh), id: after?.id },
            condition: isAbsent,
            orElse: () => new ScimGroupNameTaken(),
          },
        ]),
    ...(old === undefined ? [] : [{ delete: scimGroupNameKey(connectionId, old) }]),
  ]
}

const buildRowSteps = (
  before: ScimGroupRecord | undefined,
  after: ScimGroupRecord | undefined,
): readonly Step[] => {
  if (before?.externalId === after?.externalId) return []
  const keyOf = ({ connectionId, externalId, id }: ScimGroupRecord) =>
    externalId === undefined ? [] : [scimExternalIdKey(connectionId, 'group', externalId, id)]
  return [
    ...(before ? keyOf(before) : []).map((key) => ({ delete: key })),
    ...(after ? keyOf(after) : []).map((key) => ({ put: { ...key } })),
  ]
}

/** A member of a group. */
export interface ScimMember {
  readonly connectionId: number
  readonly groupId: string
  readonly userId: string
}

const keysOf = ({ connectionId, groupId, userId }: ScimMember) => [
  scimMemberKey(connectionId, groupId, userId),
  scimMembershipKey(connectionId, userId, groupId),
]

/** Members whom one transaction changes. */
export const membersPerTransaction = 40

export const buildAddMemberSteps = (members: readonly ScimMember[]): readonly Step[] =>
  members.flatMap(keysOf).map((key) => ({ put: { ...key } }))

export const buildRemoveMemberSteps = (members: readonly ScimMember[]): readonly Step[] =>
  members.flatMap(keysOf).map((key) => ({ delete: key }))

/** Reads the IDs of members after one of them. */
export const readScimMemberIds = async (
  table: Table,
  { connectionId, groupId }: Pick<ScimMember, 'connectionId' | 'groupId'>,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly string[]> => {
  const { pk } = scimMemberKey(connectionId, groupId, '')
  const items = await table.page({
    pk,
    from: `${scimMemberPrefix}${after ?? ''}`,
    to: `${scimMemberPrefix}~`,
    limit: limit + 1,
  })
  return items
    .map(({ sk }) => sk.slice(scimMemberPrefix.length))
    .filter((id) => id !== after)
    .slice(0, limit)
}

/** Whether each of these people is a member of a group. */
export const areScimMembers = async (
  table: Table,
  { connectionId, groupId }: Pick<ScimMember, 'connectionId' | 'groupId'>,
  userIds: readonly string[],
): Promise<readonly boolean[]> =>
  (
    await readAll(
      table,
      userIds.map((userId) => scimMemberKey(connectionId, groupId, userId)),
    )
  ).map((item) => item !== undefined)

/** The IDs of the groups of a person. */
export const findScimGroupIds = async (
  table: Table,
  connectionId: number,
  userId: string,
): Promise<readonly string[]> =>
  (await table.list(scimMembershipKey(connectionId, userId, '').pk, scimMembershipPrefix)).map(({ sk }) =>
    sk.slice(scimMembershipPrefix.length),
  )
