import { isAbsent, type Update } from '../engine/expressions.ts'
import { counterKey, emailKey, userKey, userListing, usernameKey } from '../engine/keys.ts'
import { findRecord, readByIds } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'
import { userMarkerCodec } from '../records/markers.ts'
import { type NewUser, type UserChanges, type UserRecord, userKind } from '../records/user-record.ts'
import { buildIndexSteps, chunkGroups, type JoinGuard } from './user-index-steps.ts'
import { endSessionsChange } from './user-step.ts'

export const findUser = (table: Table, id: number): Promise<UserRecord | undefined> =>
  findRecord(table, userKind.codec, userKind.keyOf(id))

/** The users of these IDs, in their order. Missing ones are undefined. */
export const findUsers = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (UserRecord | undefined)[]> => readByIds(table, userKind, ids)

/** The id behind a normalized username. */
export const findUserIdByUsername = async (
  table: Table,
  normalizedUsername: string,
): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, usernameKey(normalizedUsername)))?.userId

/** The id behind a normalized e-mail address. */
export const findUserIdByEmail = async (table: Table, normalizedEmail: string): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, emailKey(normalizedEmail)))?.userId

/**
 * Creates a user with all that hangs on it in one transaction, together with the steps that `along` makes for its
 * id; of very many groups the rest follows in others.
 *
 * @throws NotUnique when the username or the address is taken.
 * @throws EditConflict when a group is gone, or its guard refuses.
 * @throws ConditionFailed when a step in `along` refuses.
 */
export const createUser = async (
  table: Table,
  user: NewUser,
  nowMs: number,
  along: (id: number) => readonly Step[] = () => [],
  guard?: JoinGuard,
): Promise<UserRecord> => {
  const id = await table.next(counterKey('user'))
  return createUserAs(table, id, user, nowMs, along(id), undefined, guard)
}

/**
 * The same with an id that was taken from the counter before. What stands in `origin` stays with the username, for
 * `findClaims` to tell.
 */
export const createUserAs = async (
  table: Table,
  id: number,
  user: NewUser,
  nowMs: number,
  along: readonly Step[],
  origin?: string,
  guard?: JoinGuard,
): Promise<UserRecord> => {
  const [groups = [], ...later] = chunkGroups([], user.groups)
  const record: UserRecord = {
    ...user,
    groups,
    id,
    version: 1,
    credentialEpoch: 1,
    tickets: {},
    endedSessions: {},
    knownAddresses: {},
    createdAt: nowMs,
    lastSeenAt: null,
  }
  const place: Step = { put: { ...userKey(id), ...userListing(id), ...record }, condition: isAbsent }
  await table.transact([place, ...buildIndexSteps(undefined, record, guard, origin), ...along])
  return editInStages(table, record, later, guard)
}

/**
 * Changes a user as it was read, and all that hangs on it, in one transaction; of very many groups the rest follows in
 * others, and the user is in between what it was and what it will be.
 *
 * @throws EditConflict when the user was changed or deleted since, or a group is gone, or its guard refuses.
 * @throws NotUnique when the new username or address is taken.
 * @throws LastAdmin when nobody would be left to administer.
 */
export const editUser = (
  table: Table,
  user: UserRecord,
  changes: UserChanges,
  along: readonly Step[] = [],
  guard?: JoinGuard,
): Promise<UserRecord> => edit(table, user, changes, along, guard)

/** The same, and ends every session and ticket of the user in the same write. */
export const editUserEndingSessions = (
  table: Table,
  user: UserRecord,
  changes: UserChanges,
  along: readonly Step[] = [],
  guard?: JoinGuard,
): Promise<UserRecord> => edit(table, user, { ...changes, ...endSessionsChange(user) }, along, guard)

const edit = async (
  table: Table,
  user: UserRecord,
  changes: Partial<UserRecord>,
  along: readonly Step[],
  guard: JoinGuard | undefined,
): Promise<UserRecord> => {
  if (!changes.groups) return editOnce(table, user, changes, along, guard)
  const [groups = [], ...later] = chunkGroups(user.groups, changes.groups)
  const edited = await editOnce(table, user, { ...changes, groups }, along, guard)
  return editInStages(table, edited, later, guard)
}

const editInStages = async (
  table: Table,
  user: UserRecord,
  stages: readonly (readonly number[])[],
  guard: JoinGuard | undefined,
): Promise<UserRecord> => {
  let edited = user
  for (const groups of stages) edited = await editOnce(table, edited, { groups }, [], guard)
  return edited
}

const editOnce = async (
  table: Table,
  user: UserRecord,
  changes: Partial<UserRecord>,
  along: readonly Step[],
  guard: JoinGuard | undefined,
): Promise<UserRecord> => {
  const all = { ...changes, version: user.version + 1 }
  const edited = { ...user, ...all }
  const update: Update = (x) => ({
    set: Object.entries(all).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    condition: `${x.path('version')} = ${x.value(user.version)}`,
  })
  await table.transact([
    { update: userKey(user.id), changes: update, orElse: () => new EditConflict() },
    ...buildIndexSteps(user, edited, guard),
    ...along,
  ])
  return edited
}
