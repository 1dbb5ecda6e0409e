import {
  buildListJoinSteps,
  buildListLeaveSteps,
  type GroupRecord,
  withFullLists,
} from '../../../accounts/groups/groups.records.ts'
import { buildMemberItem } from '../../../accounts/groups/member-items.records.ts'
import { describeEdit } from '../../../accounts/users/describe-edit.records.ts'
import { findUsers } from '../../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { buildUserTotalSteps } from '../../../accounts/users/user-listing.records.ts'
import { membersPerBody } from '../../../kernel/limits/limits.ts'
import type { Update } from '../../../kernel/table/expressions.ts'
import {
  groupKey,
  idAtEnd,
  memberKey,
  memberListKey,
  memberPrefix,
  userKey,
} from '../../../kernel/table/keys/keys.ts'
import { groupMemberListPartition } from '../../../kernel/table/keys/listing-keys.ts'
import { type Listing, readAll, readEntries } from '../../../kernel/table/listing.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { noteChange } from '../../../kernel/table/table-calls.ts'
import { ConditionFailed, EditConflict, type Step } from '../../../kernel/table/transaction.ts'
import { mapInBatches, retry } from '../../../kernel/util/work.ts'

/*
 * Membership is stored twice, and one transaction changes both: the user's record decides what the user may do, and an
 * item in the group's partition lists the user as a member, by ID there and by name in the listing index. A change of more members than fit into one transaction is
 * made in several. Each is complete, and all of them can be repeated without harm.
 */

/** The members of a group in order of ID, to be read in pages with strong consistency. */
export const getMembersListing = (groupId: number): Listing => ({
  pk: groupKey(groupId).pk,
  from: memberPrefix,
  to: `${memberPrefix}~`,
})

/** The members of a group in order of username. Their entries carry what `buildMemberItem` writes. */
export const getMembersByName = (groupId: number): Listing => ({
  pk: groupMemberListPartition(groupId),
  index: 'listing',
})

/** The IDs of up to `limit` members, lowest first. */
export const findMemberIds = async (
  table: Table,
  groupId: number,
  limit: number,
): Promise<readonly number[]> => {
  const entries = await readEntries(table, getMembersListing(groupId), { limit, isDescending: false })
  return entries.map(({ indexKey }) => idAtEnd(indexKey))
}

const queriesAtOnce = 50

/** The IDs of the first `membersPerBody` members of each group, lowest first. A query is made only for larger groups. */
export const readMemberLists = async (
  table: Table,
  groupIds: readonly number[],
): Promise<readonly (readonly number[])[]> => {
  const items = await readAll(table, groupIds.map(memberListKey))
  const isLarge = (at: number): boolean => items[at]?.['isFull'] === true
  const large = groupIds.filter((_, at) => isLarge(at))
  const found = await mapInBatches(large, queriesAtOnce, (id) => findMemberIds(table, id, membersPerBody))
  const byGroup = new Map(large.map((id, at) => [id, found[at] ?? []]))
  return groupIds.map((id, at) => byGroup.get(id) ?? sortIds(items[at]?.['ids']))
}

const sortIds = (ids: unknown): readonly number[] =>
  ids instanceof Set
    ? [...ids]
        .map(Number)
        .sort((a, b) => a - b)
        .slice(0, membersPerBody)
    : []

export interface MemberChange {
  readonly ids: readonly number[]
  readonly joins: boolean
  /** Further steps of the transaction that changes a user. */
  readonly extraSteps: (userId: number) => readonly Step[]
}

/** A transaction has at most 100 steps. Each user takes three or four of them, and the group up to three. */
export const maxUsersPerTransaction = 24

/**
 * Lets users join or leave a group while the group stays as it was read. Users who did so already are skipped.
 *
 * @throws EditConflict if the group was changed concurrently. Completed changes remain.
 */
export const changeMembers = async (
  table: Table,
  group: GroupRecord,
  change: MemberChange,
): Promise<void> => {
  const unchangedGroup: Step = {
    check: groupKey(group.id),
    condition: (x) => `${x.path('version')} = ${x.value(group.version)}`,
    orElse: () => new EditConflict(),
  }
  const buildGroupSteps: GroupSteps = (joining, ids, fullLists) => [
    unchangedGroup,
    ...(change.joins ? buildListJoinSteps(group.id, joining, fullLists) : buildListLeaveSteps(group.id, ids)),
  ]
  // One after the other: each transaction checks the group, so that DynamoDB refuses all but one of those at the same time.
  for (const ids of splitIds(change.ids))
    await changeSome(table, group.id, { ...change, ids }, buildGroupSteps)
}

/**
 * Builds the steps that remove all members of a group, for the transaction that deletes the group. They fail with
 * `EditConflict` if a member was changed since. If there are too many members for one transaction, they stay.
 */
export const buildLeaveSteps = async (table: Table, groupId: number): Promise<readonly Step[]> => {
  const ids = await findMemberIds(table, groupId, maxUsersPerTransaction + 1)
  const deleteList: Step = { delete: memberListKey(groupId) }
  if (ids.length > maxUsersPerTransaction) return [deleteList]
  const users = await findUsers(table, ids)
  const steps = ids.flatMap((id, at) => buildMemberSteps(groupId, id, users[at], leaving))
  return [deleteList, ...steps.map((step) => ({ ...step, orElse: () => new EditConflict() }))]
}

/** Removes up to `limit` members of a deleted group. Returns whether there were any. */
export const removeStaleMembers = async (table: Table, groupId: number, limit: number): Promise<boolean> => {
  const ids = await findMemberIds(table, groupId, limit)
  await forEachChunk(ids, (some) => changeSome(table, groupId, { ids: some, ...leaving }, () => []))
  // The list is there again if one of them left the group in an edit of their own.
  if (ids.length > 0) await table.transact([{ delete: memberListKey(groupId) }])
  return ids.length > 0
}

/** Splits users into those of one transaction each. */
const splitIds = (ids: readonly number[]): (readonly number[])[] =>
  Array.from({ length: Math.ceil(ids.length / maxUsersPerTransaction) }, (_, at) =>
    ids.slice(at * maxUsersPerTransaction, (at + 1) * maxUsersPerTransaction),
  )

/**
 * Works on several chunks concurrently, because a large group would otherwise take longer than a request may. If one
 * fails, this waits for those in progress: the process may be suspended as soon as the request is answered.
 */
const forEachChunk = async (ids: readonly number[], work: (some: readonly number[]) => Promise<void>) => {
  const chunks = splitIds(ids)
  const workers = Array.from({ length: 4 }, async () => {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift())
      await work(chunk).catch((error: unknown) => {
        chunks.length = 0
        throw error
      })
  })
  const rejected = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (rejected?.status === 'rejected') throw rejected.reason
}

/** Builds the steps of a group some of whose members change. Of these, some were no member before. */
type GroupSteps = (
  joining: readonly number[],
  ids: readonly number[],
  fullLists: ReadonlySet<number>,
) => readonly Step[]

const changeSome = async (
  table: Table,
  groupId: number,
  change: MemberChange,
  buildGroupSteps: GroupSteps,
): Promise<void> => {
  const readAndChange = async (): Promise<void> => {
    const users = await findUsers(table, change.ids)
    const steps = change.ids.flatMap((id, at) => buildMemberSteps(groupId, id, users[at], change))
    const joining = users.flatMap((user) => (user && !user.groups.includes(groupId) ? [user.id] : []))
    if (steps.length === 0) return
    await withFullLists((fullLists) =>
      table.transact([...buildGroupSteps(joining, change.ids, fullLists), ...steps]),
    )
    noteChange()
  }
  // Another request may have changed one of the users. That is no reason to reject the change of all others.
  const isUserChanged = (error: unknown): boolean => error instanceof ConditionFailed
  try {
    await retry(readAndChange, { attempts: 10, baseMs: 10, capMs: 200, isRetryable: isUserChanged })
  } catch (error) {
    throw error instanceof ConditionFailed ? new EditConflict() : error
  }
}

const leaving = { joins: false, extraSteps: () => [] } as const

const buildMemberSteps = (
  groupId: number,
  userId: number,
  user: UserRecord | undefined,
  { joins, extraSteps }: Pick<MemberChange, 'joins' | 'extraSteps'>,
): readonly Step[] => {
  const isMember = user?.groups.includes(groupId) ?? false
  if (joins)
    return user && !isMember
      ? [
          ...buildGroupsSteps(user, [...user.groups, groupId]),
          { put: buildMemberItem(groupId, user) },
          ...extraSteps(userId),
        ]
      : []
  const groups = (user?.groups ?? []).filter((id) => id !== groupId)
  return [
    { delete: memberKey(groupId, userId) },
    ...(user && isMember ? [...buildGroupsSteps(user, groups), ...extraSteps(userId)] : []),
  ]
}

/**
 * Builds the steps by which users, as they were read, join a group that the same transaction creates. Takes at most
 * `maxUsersPerTransaction` users.
 */
export const buildFirstMemberSteps = (
  groupId: number,
  users: readonly UserRecord[],
  extraSteps: MemberChange['extraSteps'],
): readonly Step[] => [
  ...users.flatMap((user) => buildMemberSteps(groupId, user.id, user, { joins: true, extraSteps })),
  ...buildListJoinSteps(
    groupId,
    users.map(({ id }) => id),
  ),
]

/** Changes the version like any other edit, so that a concurrent edit cannot restore the old groups. */
const buildGroupsSteps = (user: UserRecord, groups: readonly number[]): readonly Step[] => {
  const changes: Update = (x) => ({
    set: [`${x.path('groups')} = ${x.value(groups)}`, `${x.path('version')} = ${x.value(user.version + 1)}`],
    condition: `${x.path('version')} = ${x.value(user.version)}`,
  })
  return [
    { update: userKey(user.id), changes, ...describeEdit(user, { groups }) },
    ...buildUserTotalSteps(user, { ...user, groups }),
  ]
}
