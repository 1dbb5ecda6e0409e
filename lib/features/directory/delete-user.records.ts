import { userItemsDeletedPerRequest } from '../../kernel/limits/limits.ts'
import { type Condition, isPresent } from '../../kernel/table/expressions.ts'
import {
  apiTokenMarkerKey,
  apiTokenPrefix,
  companyMembershipsPrefix,
  deletedUserKey,
  type Key,
  passkeyMarkerKey,
  passkeyPrefix,
  sessionPrefix,
  userKey,
} from '../../kernel/table/keys/keys.ts'
import { type ListEntry, readEntries } from '../../kernel/table/listing.ts'
import { createCodec, readListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { noteChange } from '../../kernel/table/table-calls.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { buildTokenRevocationSteps } from '../connections/accounts.records.ts'
import { buildSessionLogoutSteps, buildUserLogoutSteps } from '../oauth/logout-jobs.records.ts'
import {
  endMembershipOfDeleted,
  isMembershipKey,
  type Membership,
} from '../organizations/memberships.records.ts'
import { sessionCodec } from '../sign-in/session.records.ts'
import { withRestingRights } from './resting-rights.records.ts'
import type { UserRecord } from './user.records.ts'
import { buildIndexSteps, chunkGroups } from './user-index-steps.records.ts'
import { editUserEndingSessions } from './users.records.ts'

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

/**
 * Deletes the remaining items of a deleted user, at most `userItemsDeletedPerRequest`. `auditEnd` tells the organizations. What never expires comes first in
 * the partition: API tokens and passkeys before sessions. Returns whether there were any items.
 */
export const cleanUpDeletedUser = async (
  table: Table,
  userId: number,
  auditEnd: (ended: Membership) => Step,
): Promise<boolean> => {
  const { pk, sk } = userKey(userId)
  let deleted = 0
  while (deleted < userItemsDeletedPerRequest) {
    const entries = await readEntries(table, { pk, isListing: false }, { limit, isDescending: false })
    // A user with this ID exists, because they are being created concurrently.
    const hasUser = entries.some(({ indexKey }) => indexKey === sk)
    if (entries.length === 0 || hasUser) break
    const memberships = entries.filter(({ key }) => isMembershipKey(key))
    for (const membership of memberships)
      await endMembershipOfDeleted(table, membership, (ended) => [auditEnd(ended)])
    const others = entries.filter(({ key }) => !isMembershipKey(key))
    if (others.length > 0) await table.transact(others.flatMap(buildItemSteps))
    noteChange()
    deleted += entries.length
  }
  return deleted > 0
}

/** Items that one transaction deletes. Each can have a marker, or a job to inform clients or a provider. */
const limit = 50

/** Builds the steps that delete an item of a user, with what belongs to it. */
export const buildItemSteps = ({ key, item }: ListEntry): readonly Step[] => [
  { delete: key },
  ...getMarkerKeys(key).map((marker): Step => ({ delete: marker })),
  ...(hasClients(key, item) ? buildSessionLogoutSteps(sessionCodec.decode(item)) : []),
  ...(key.sk.startsWith(companyMembershipsPrefix) ? buildTokenRevocationSteps(item) : []),
]

/** Other sessions are not decoded, so that one that is not valid cannot stop the deletion. */
const hasClients = (key: Key, item: ListEntry['item']): boolean =>
  key.sk.startsWith(sessionPrefix) && item['clients'] !== undefined

/** The marker of a custom API token or a passkey, so that it can be used again. */
const getMarkerKeys = ({ sk }: Key): Key[] => {
  if (sk.startsWith(passkeyPrefix)) return [passkeyMarkerKey(sk.slice(passkeyPrefix.length))]
  return sk.startsWith(apiTokenPrefix) ? [apiTokenMarkerKey(sk.slice(apiTokenPrefix.length))] : []
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
