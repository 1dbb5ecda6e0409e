import type { StoredSettings } from '../../kernel/contract/model.ts'
import { membersPerBody } from '../../kernel/limits/limits.ts'
import type { Condition, Update } from '../../kernel/table/expressions.ts'
import { groupKey, memberListKey, nameKey } from '../../kernel/table/keys/keys.ts'
import { readAll } from '../../kernel/table/listing.ts'
import { createCodec, findRecord, idMarkerCodec, readByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import type { UniqueNameKind, UniqueNameRecord } from '../../kernel/table/unique-name-records.ts'
import type { storedGroupFields } from './groups.models.ts'

/** The groups of these IDs that exist. Makes no call if there are no IDs. */
export const findGroups = async (table: Table, ids: readonly number[]): Promise<readonly GroupRecord[]> =>
  (await readGroups(table, [...new Set(ids)])).filter((group) => group !== undefined)

export const findGroup = (table: Table, id: number): Promise<GroupRecord | undefined> =>
  findRecord(table, groupKind.codec, groupKind.keyOf(id))

/** The groups of these IDs, in their order. Missing ones are undefined. */
export const readGroups = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (GroupRecord | undefined)[]> => readByIds(table, groupKind, ids)

/** The IDs for normalized names, in their order. Undefined for a name that no group has. */
export const findGroupIds = async (
  table: Table,
  normalizedNames: readonly string[],
): Promise<readonly (number | undefined)[]> => {
  const keys = normalizedNames.map((name) => nameKey('group', name))
  return (await readAll(table, keys)).map((item) => idMarkerCodec.decodeOptional(item)?.id)
}

/** A group as stored. Its members are separate items: see `memberships.records.ts`. */
export interface GroupRecord extends UniqueNameRecord, StoredSettings<typeof storedGroupFields> {
  /** What only published clients store with a group, as JSON text: see `published-clients/stored-fields.ts`. */
  readonly clientFields: string
}

export const groupKind: UniqueNameKind<GroupRecord> = {
  name: 'group',
  keyOf: groupKey,
  codec: createCodec<GroupRecord>('group', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    version: 'number',
    permissions: 'list',
  }),
}

/*
 * A list of groups shows the members of each. So an item beside the group has their IDs as a set, and a batch read finds
 * those of a hundred groups. Each transaction that changes a membership adds to the set or deletes from it, without reading it.
 *
 * The set has at most as many IDs as a body shows. When there are more, the item says so, and the members of this group take a
 * query. The set then begins again, so that only one in a thousand joins fails and is repeated. The item never has more than
 * about 6 KB.
 */

/** The list of members of some groups has no room for another one. */
export class MemberListFull extends EditConflict {
  readonly groupIds: readonly number[]

  constructor(groupIds: readonly number[]) {
    super()
    this.name = 'MemberListFull'
    this.groupIds = groupIds
  }

  combine(other: Error): Error | undefined {
    return other instanceof MemberListFull
      ? new MemberListFull([...this.groupIds, ...other.groupIds])
      : undefined
  }
}

const hasRoom: Condition = (x) =>
  `attribute_not_exists(${x.path('ids')}) OR size(${x.path('ids')}) < ${x.value(membersPerBody)}`

const markAsFull: Update = (x) => ({
  set: [`${x.path('isFull')} = ${x.value(true)}`],
  remove: [x.path('ids')],
})

/** Builds the step that adds members to the list of a group. It fails with `MemberListFull`: see `withFullLists`. */
export const buildListJoinSteps = (
  groupId: number,
  userIds: readonly number[],
  fullLists?: ReadonlySet<number>,
): readonly Step[] => {
  if (userIds.length === 0) return []
  if (fullLists?.has(groupId)) return [{ update: memberListKey(groupId), changes: markAsFull }]
  return [
    {
      addTo: memberListKey(groupId),
      amounts: { ids: new Set(userIds) },
      condition: hasRoom,
      orElse: () => new MemberListFull([groupId]),
    },
  ]
}

/** Builds the step that removes members from the list of a group. */
export const buildListLeaveSteps = (groupId: number, userIds: readonly number[]): readonly Step[] =>
  userIds.length === 0
    ? []
    : [
        {
          update: memberListKey(groupId),
          changes: (x) => ({ exclude: `${x.path('ids')} ${x.value(new Set(userIds))}` }),
        },
      ]

/** Repeats a write with the groups whose lists turned out to be full. */
export const withFullLists = async (
  write: (fullLists: ReadonlySet<number>) => Promise<void>,
): Promise<void> => {
  const fullLists = new Set<number>()
  for (;;) {
    try {
      await write(fullLists)
      return
    } catch (error) {
      if (!(error instanceof MemberListFull)) throw error
      for (const id of error.groupIds) fullLists.add(id)
    }
  }
}
