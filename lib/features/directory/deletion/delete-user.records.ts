import { buildUserLogoutSteps } from '../../../accounts/sessions/logout-jobs.records.ts'
import { buildIndexSteps, chunkGroups } from '../../../accounts/users/build-index-steps.records.ts'
import { withRestingRights } from '../../../accounts/users/resting-rights.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { editUserEndingSessions } from '../../../accounts/users/write-users.records.ts'
import { type Condition, isPresent } from '../../../kernel/table/expressions.ts'
import { deletedUserKey, userKey } from '../../../kernel/table/keys/keys.ts'
import { createCodec, readListed } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { noteChange } from '../../../kernel/table/table-calls.ts'
import { EditConflict, type Step } from '../../../kernel/table/transaction.ts'

/*
 * A user is deleted together with the username, email address and memberships, in one transaction. From then on, none
 * of the user's credentials work. Sessions and all other items in the user's partition are deleted after that. If this
 * is interrupted, another deletion continues it, and items that expire are removed by the table.
 */

/** A condition that the stored user has to fulfil. */
export type UserCondition = Condition

/**
 * Deletes a user as they were read. `cleanUpDeletedUser` deletes the remaining items.
 *
 * @throws EditConflict if the user was changed or deleted since, or does not fulfil the condition.
 * @throws LastAdmin if no administrator would be left.
 */
export const deleteUser = async (
  table: Table,
  user: UserRecord,
  extraSteps: readonly Step[],
  condition: UserCondition = isPresent,
): Promise<void> => {
  const lastUser = await leaveSomeGroups(table, withRestingRights(user), condition)
  await table.transact([
    {
      delete: userKey(user.id),
      condition: (x) => `${x.path('version')} = ${x.value(lastUser.version)} AND ${condition(x)}`,
      orElse: () => new EditConflict(),
    },
    ...buildIndexSteps(lastUser, undefined),
    ...buildUserLogoutSteps(user),
    ...extraSteps,
  ])
}

/** One transaction cannot end very many memberships. So the user is disabled first and then leaves groups in others. */
export const leaveSomeGroups = async (
  table: Table,
  user: UserRecord,
  condition: UserCondition = isPresent,
): Promise<UserRecord> => {
  const groups = chunkGroups(user.groups, []).at(-2)
  if (!groups) return user
  const left = await editUserEndingSessions(
    table,
    user,
    { is_enabled: false, groups },
    { updates: [(x) => ({ condition: condition(x) })] },
  )
  noteChange()
  return left
}

/** Builds the step that keeps the name of a deleted user for as long as audit events can mention them. */
export const buildDeletedUserStep = ({ id, username }: UserRecord, keptUntilMs: number): Step => ({
  put: { ...deletedUserKey(id), username, expires_at: Math.ceil(keptUntilMs / 1000) },
})

const deletedUserCodec = createCodec<Pick<UserRecord, 'username'>>('deleted user', { username: 'string' })

/** The usernames of deleted users by ID, without users who exist or were deleted too long ago. */
export const findDeletedUsernames = async (
  table: Table,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const records = await readListed(table, deletedUserCodec, ids.map(deletedUserKey))
  return new Map(
    ids.flatMap((id, at) => {
      const record = records[at]
      return record ? [[id, record.username] as const] : []
    }),
  )
}

/** Whether a user never signed in. */
export const hasNeverSignedIn = ({ lastSeenAt, knownAddresses }: UserRecord): boolean =>
  lastSeenAt === null && Object.keys(knownAddresses).length === 0

/** The same for the user as they are stored. */
export const isNeverSignedIn: UserCondition = (x) =>
  `${x.path('lastSeenAt')} = ${x.value(null)} AND ${x.path('knownAddresses')} = ${x.value({})}`
