import type { Condition, Update } from '../../kernel/table/expressions.ts'
import { counterKey, userKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { noteChange } from '../../kernel/table/table-calls.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { retry } from '../../kernel/util/work.ts'
import { withFullLists } from '../groups/groups.records.ts'
import { type NameTransfer, planTransfer } from '../names/name-transfer.records.ts'
import { buildUserLogoutSteps } from '../sessions/logout-jobs.records.ts'
import {
  buildIndexSteps,
  buildRenameSteps,
  chunkGroups,
  type JoinGuard,
  listRenamed,
} from './build-index-steps.records.ts'
import {
  buildEndResetLinksChange,
  buildEndSessionsChange,
  type UserUpdate,
  withoutOldPassword,
} from './build-user-step.records.ts'
import { describeEdit } from './describe-edit.records.ts'
import { findUser } from './find-users.records.ts'
import { isGuestUser } from './guest-state.records.ts'
import { planNewUser } from './plan-new-user.records.ts'
import { withRestingRights } from './resting-rights.records.ts'
import {
  type NewUser,
  NotUnique,
  type UserChanges,
  type UserRecord,
  userKind,
} from './stored-user.records.ts'
import { resetEndingFields } from './user-field-names.models.prebuilt.ts'
import { buildUserListing } from './user-listing.records.ts'

/** What a write of a user includes besides the user. */
export interface UserWriteOptions {
  /** Further steps of the same transaction. */
  readonly extraSteps?: readonly Step[]
  /** Checks each group that the user joins. By default, it has to exist. */
  readonly guard?: JoinGuard | undefined
  /** Further changes of the user's record. */
  readonly updates?: readonly UserUpdate[]
}

export interface NewUserOptions extends UserWriteOptions {
  /** Epoch milliseconds. */
  readonly nowMs: number
  /** Is stored with the username: see `findClaims`. */
  readonly origin?: string
}

/**
 * Creates a user with a new ID in one transaction. If the user has very many groups, further transactions add the rest.
 *
 * @throws NotUnique if the username or email address is taken.
 * @throws LooksLikeOther if the name of another user looks like the username.
 * @throws EditConflict if a group does not exist or its guard rejects the user.
 * @throws ConditionFailed if one of the extra steps fails without an error of its own.
 */
export const createUser = async (
  table: Table,
  user: NewUser,
  nowMs: number,
  { guard, extraSteps }: { guard?: JoinGuard | undefined; extraSteps?: (id: number) => readonly Step[] } = {},
): Promise<UserRecord> => {
  const { first: id } = await table.nextIds(counterKey('user'))
  return createUserWithId(table, id, user, { nowMs, guard, extraSteps: extraSteps?.(id) ?? [] })
}

/** Does the same as `createUser` with an ID from `allocateUserIds`. */
export const createUserWithId = async (
  table: Table,
  id: number,
  user: NewUser,
  { nowMs, origin, guard, extraSteps = [] }: NewUserOptions,
): Promise<UserRecord> => {
  const { record, laterGroups, putStep } = planNewUser(id, user, nowMs)
  await writeWithTransfer(table, record, (found) =>
    table.transact([
      putStep,
      ...buildIndexSteps(undefined, record, { guard, origin, ...found }),
      ...extraSteps,
    ]),
  )
  return setGroups(table, record, laterGroups, guard)
}

/**
 * Adds the groups that `createUserWithId` did not add because it ended between its transactions. Does nothing if the user
 * was changed since.
 *
 * @throws EditConflict if a group does not exist.
 */
export const completeNewUser = async (table: Table, id: number, groups: readonly number[]): Promise<void> => {
  const lists = chunkGroups([], groups)
  const user = lists.length > 1 ? await findUser(table, id) : undefined
  // Each transaction sets the next list of groups and raises the version.
  if (user && lists[user.version - 1]?.join() === user.groups.join())
    await setGroups(table, user, lists.slice(user.version), undefined)
}

/**
 * Builds the steps that `createUserWithId` writes at first, to be written together with those of other users. Undefined
 * for a user whom one transaction cannot create.
 */
export const buildNewUserSteps = (
  id: number,
  user: NewUser,
  { nowMs, origin, guard, extraSteps = [] }: NewUserOptions,
): readonly Step[] | undefined => {
  const { record, laterGroups, putStep } = planNewUser(id, user, nowMs)
  if (laterGroups.length > 0) return undefined
  // Users with neighboring IDs are written together.
  const totalsBlock = Math.floor(id / usersPerBlock)
  return [putStep, ...buildIndexSteps(undefined, record, { guard, origin, totalsBlock }), ...extraSteps]
}

const usersPerBlock = 32

/**
 * Changes a user as they were read, in one transaction. If very many groups change, further transactions follow, and
 * in between the user has some of the old and some of the new groups.
 *
 * @throws EditConflict if the user was changed or deleted since, a group does not exist, or its guard rejects the user.
 * @throws NotUnique if the new username or email address is taken.
 * @throws LooksLikeOther if the name of another user looks like the new username.
 * @throws LastAdmin if no administrator would be left.
 */
export const editUser = (
  table: Table,
  user: UserRecord,
  changes: UserChanges,
  options: UserWriteOptions = {},
): Promise<UserRecord> => editInChunks(table, user, changes, options)

/**
 * Does the same as `editUser` and ends all sessions and tickets of the user in the same transaction. OpenID Connect
 * clients of the sessions will be informed.
 */
export const editUserEndingSessions = (
  table: Table,
  user: UserRecord,
  changes: UserChanges,
  { extraSteps = [], ...options }: UserWriteOptions = {},
): Promise<UserRecord> =>
  editInChunks(
    table,
    user,
    { ...changes, ...buildEndSessionsChange(user) },
    { ...options, extraSteps: [...buildUserLogoutSteps(user), ...extraSteps] },
  )

const editInChunks = async (
  table: Table,
  user: UserRecord,
  changes: Partial<UserRecord>,
  options: UserWriteOptions,
): Promise<UserRecord> => {
  if (!changes.groups) return editOnce(table, user, changes, options)
  const [groups = [], ...laterGroups] = chunkGroups(user.groups, changes.groups)
  const edited = await editOnce(table, user, { ...changes, groups }, options)
  return setGroups(table, edited, laterGroups, options.guard)
}

/** Gives a user each of these lists of groups, one after the other. */
const setGroups = async (
  table: Table,
  user: UserRecord,
  lists: readonly (readonly number[])[],
  guard: JoinGuard | undefined,
): Promise<UserRecord> => {
  let edited = user
  for (const groups of lists) {
    // The transaction before was committed.
    noteChange()
    edited = await editOnce(table, edited, { groups }, { guard })
  }
  return edited
}

/**
 * A change of these revokes all reset links: they went to another address, or were for another state of the account. A
 * new password does the same by `credentialEpoch`.
 */
const revokingFields: readonly string[] = ['emailVerified', ...resetEndingFields]

const editOnce = async (
  table: Table,
  user: UserRecord,
  changes: Partial<UserRecord>,
  { guard, updates = [], extraSteps = [] }: UserWriteOptions,
): Promise<UserRecord> => {
  const revoked = revokingFields.some((field) => Object.hasOwn(changes, field))
    ? buildEndResetLinksChange(user)
    : {}
  const fields = {
    ...buildVerifierEnd(user, changes),
    ...withoutOldPassword(user, changes),
    ...buildPromotion(user, changes),
    ...buildInvitationEnd(user, changes),
    ...revoked,
    version: user.version + 1,
  }
  const edited = { ...user, ...fields }
  const listing = buildListingChange(user, edited)
  const entries = Object.entries({ ...userKind.codec.encodeChanges(user, fields), ...listing })
  const isInvitationKept = 'lsk' in listing && !('invitation' in fields)
  const update: Update = (x) => {
    const more = updates.map((build) => build(x))
    return {
      set: [
        ...entries.flatMap(([name, value]) =>
          value === undefined ? [] : [`${x.path(name)} = ${x.value(value)}`],
        ),
        ...more.flatMap(({ set = [] }) => set),
      ],
      remove: [
        ...entries.flatMap(([name, value]) => (value === undefined ? [x.path(name)] : [])),
        ...more.flatMap(({ remove = [] }) => remove),
      ],
      condition: [
        `${x.path('version')} = ${x.value(user.version)}`,
        ...(isInvitationKept ? [buildSameInvitationCondition(user)(x)] : []),
        ...more.flatMap(({ condition }) => condition ?? []),
      ].join(' AND '),
    }
  }
  await writeWithTransfer(table, edited, (found) =>
    table.transact([
      {
        update: userKey(user.id),
        changes: update,
        orElse: () => new EditConflict(),
        ...describeEdit(user, edited),
      },
      ...buildIndexSteps(user, edited, { guard, ...found }),
      ...extraSteps,
    ]),
  )
  await renameInGroups(table, user.id, listRenamed(withRestingRights(user), withRestingRights(edited)).rest)
  return edited
}

const renamesPerTransaction = 90

/** Gives a user who was renamed their places in the lists of the groups that the transaction had no room for. */
const renameInGroups = async (table: Table, id: number, groups: readonly number[]): Promise<void> => {
  for (let from = 0; from < groups.length; from += renamesPerTransaction) {
    noteChange()
    const some = groups.slice(from, from + renamesPerTransaction)
    await retry(
      async () => {
        // A later edit has other names or groups by now.
        const user = await findUser(table, id)
        const kept = some.filter((group) => user?.groups.includes(group))
        if (!user || kept.length === 0) return
        const isUnchanged: Step = {
          check: userKey(id),
          condition: (x) => `${x.path('version')} = ${x.value(user.version)}`,
          orElse: () => new EditConflict(),
        }
        await table.transact([isUnchanged, ...buildRenameSteps(user, kept)])
      },
      { attempts: 10, baseMs: 10, capMs: 200, isRetryable: (error) => error instanceof EditConflict },
    )
  }
}

/** Nobody vouches for a new address by the word about the one before. */
const buildVerifierEnd = (
  { normalizedEmail, verifiedBy }: UserRecord,
  changes: Partial<UserRecord>,
): Pick<UserRecord, 'verifiedBy'> =>
  verifiedBy !== undefined &&
  changes.normalizedEmail !== undefined &&
  changes.normalizedEmail !== normalizedEmail
    ? { verifiedBy: undefined }
    : {}

/** A change of the entry in the list of users costs two writes of the index. A guest who was replaced is in no list. */
const buildListingChange = (before: UserRecord, after: UserRecord) => {
  const { lsk } = buildUserListing(after)
  const isSame = lsk === buildUserListing(before).lsk
  return isSame || before.successorId !== undefined ? {} : { lsk }
}

/** The new entry says whether the user is invited, and inviting them is no edit: it does not change the version. */
const buildSameInvitationCondition =
  ({ invitation }: UserRecord): Condition =>
  (x) =>
    invitation
      ? `${x.path('invitation', 'id')} = ${x.value(invitation.id)}`
      : `attribute_not_exists(${x.path('invitation')})`

/** A guest who gets rights becomes an account, which holds the names of an account. */
const buildPromotion = (user: UserRecord, changes: Partial<UserRecord>) =>
  user.hasGuestNames && !isGuestUser({ ...user, ...changes }) ? { hasGuestNames: undefined } : {}

/**
 * An invitation went to the old address. It is removed also if it was created after the user was read, because creating it
 * is no edit.
 */
const buildInvitationEnd = (user: UserRecord, changes: Partial<UserRecord>) =>
  'email' in changes && !('invitation' in changes) && user.invitation?.acceptedAt === undefined
    ? { invitation: undefined }
    : {}

/** What a write of a user needs, but is looked up only after it failed without. */
interface Found {
  readonly transfer?: NameTransfer
  readonly fullLists?: ReadonlySet<number>
}

/** Guests who hold a name of the user give way. */
const writeWithTransfer = async (
  table: Table,
  user: UserRecord,
  write: (found: Found) => Promise<void>,
): Promise<void> => {
  const writeWith = (found: Found) => withFullLists((fullLists) => write({ ...found, fullLists }))
  try {
    await writeWith({})
  } catch (error) {
    if (!(error instanceof NotUnique) || user.hasGuestNames) throw error
    await writeWith({ transfer: await planTransfer(table, user) })
  }
}
