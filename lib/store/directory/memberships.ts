import { retry } from '../../core/retry.ts'
import type { Update } from '../engine/expressions.ts'
import { groupKey, idAtEnd, memberKey, memberPrefix, userKey } from '../engine/keys.ts'
import { type Listing, readPlaces } from '../engine/listing.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { ConditionFailed, EditConflict } from '../engine/transaction-errors.ts'
import type { GroupRecord } from '../records/group-record.ts'
import type { UserRecord } from '../records/user-record.ts'
import { findUsers } from './users.ts'

/*
 * Who is in a group is told twice, and changed in both places by one transaction: in the user's record, which
 * says what a user may do, and by an item in the group's partition, by which a group finds its members. A
 * change of more members than fit into one transaction is made in several; each is whole by itself, and all
 * of them may be made again.
 */

/** The members of a group in order of id, to be read by pages, strongly consistently. */
export const getMembersListing = (groupId: number): Listing => ({
  pk: `group#${groupId}`,
  isListing: false,
  from: memberPrefix,
  to: `${memberPrefix}~`,
})

/** The ids of so many members, lowest first. */
export const findMemberIds = async (
  table: Table,
  groupId: number,
  limit: number,
): Promise<readonly number[]> => {
  const places = await readPlaces(table, getMembersListing(groupId), { limit, isDescending: false })
  return places.map(({ place }) => idAtEnd(place))
}

export interface MemberChange {
  readonly ids: readonly number[]
  readonly joins: boolean
  /** Goes along with the change of each user. */
  readonly along: (userId: number) => readonly Step[]
}

/** A transaction has a hundred steps at most; each user takes three or four of them. */
export const maxUsersPerTransaction = 24

/**
 * Lets users join or leave a group, as long as the group stays as it was read; those who have, already, are
 * left alone.
 *
 * @throws EditConflict when the group was changed in between: what is done by then stays done.
 */
export const changeMembers = async (
  table: Table,
  group: GroupRecord,
  change: MemberChange,
): Promise<void> => {
  const isUnchanged: Step = {
    check: groupKey(group.id),
    condition: (x) => `${x.path('version')} = ${x.value(group.version)}`,
    orElse: () => new EditConflict(),
  }
  await inChunks(change.ids, (ids) => changeSome(table, group.id, { ...change, ids }, [isUnchanged]))
}

/** Takes so many memberships of a group away that is gone; returns whether there were any. */
export const removeStaleMembers = async (table: Table, groupId: number, limit: number): Promise<boolean> => {
  const ids = await findMemberIds(table, groupId, limit)
  await inChunks(ids, (some) => changeSome(table, groupId, { ids: some, joins: false, along: () => [] }, []))
  return ids.length > 0
}

/**
 * Several at a time: one after the other, a large group would take longer than a request may. When one fails,
 * those under way are waited for, since what goes on after the answer may stop anywhere.
 */
const inChunks = async (ids: readonly number[], work: (some: readonly number[]) => Promise<void>) => {
  const chunks = Array.from({ length: Math.ceil(ids.length / maxUsersPerTransaction) }, (_, at) =>
    ids.slice(at * maxUsersPerTransaction, (at + 1) * maxUsersPerTransaction),
  )
  const workers = Array.from({ length: 4 }, async () => {
    for (let chunk = chunks.shift(); chunk; chunk = chunks.shift())
      await work(chunk).catch((error: unknown) => {
        chunks.length = 0
        throw error
      })
  })
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

const changeSome = async (
  table: Table,
  groupId: number,
  change: MemberChange,
  guard: readonly Step[],
): Promise<void> => {
  const readAndChange = async (): Promise<void> => {
    const users = await findUsers(table, change.ids)
    const steps = change.ids.flatMap((id, at) => stepsOf(groupId, id, users[at], change))
    if (steps.length > 0) await table.transact([...guard, ...steps])
  }
  // Another request may have changed one of the users. That is no reason to reject the change of all others.
  const isUserChanged = (error: unknown): boolean => error instanceof ConditionFailed
  try {
    await retry(readAndChange, { attempts: 10, baseMs: 10, capMs: 200, isRetryable: isUserChanged })
  } catch (error) {
    throw error instanceof ConditionFailed ? new EditConflict() : error
  }
}

const stepsOf = (
  groupId: number,
  userId: number,
  user: UserRecord | undefined,
  { joins, along }: MemberChange,
): readonly Step[] => {
  const key = memberKey(groupId, userId)
  const isMember = user?.groups.includes(groupId) ?? false
  if (joins)
    return user && !isMember
      ? [moveStep(user, [...user.groups, groupId]), { put: { ...key } }, ...along(userId)]
      : []
  const groups = (user?.groups ?? []).filter((id) => id !== groupId)
  return [{ delete: key }, ...(user && isMember ? [moveStep(user, groups), ...along(userId)] : [])]
}

/** The steps by which users, as they were read, join a group that is made along with that: up to `usersAtOnce`. */
export const buildFirstMemberSteps = (
  groupId: number,
  users: readonly UserRecord[],
  along: MemberChange['along'],
): readonly Step[] =>
  users.flatMap((user) => stepsOf(groupId, user.id, user, { ids: [user.id], joins: true, along }))

/** An edit like any other, so that no other edit writes the groups back that it read before. */
const moveStep = (user: UserRecord, groups: readonly number[]): Step => {
  const changes: Update = (x) => ({
    set: [`${x.path('groups')} = ${x.value(groups)}`, `${x.path('version')} = ${x.value(user.version + 1)}`],
    condition: `${x.path('version')} = ${x.value(user.version)}`,
  })
  return { update: userKey(user.id), changes }
}
