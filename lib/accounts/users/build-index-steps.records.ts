import { privilegedPermissions } from '../../kernel/contract/permissions.ts'
import { type Condition, isPresent } from '../../kernel/table/expressions.ts'
import { groupKey, memberKey } from '../../kernel/table/keys/keys.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { buildListJoinSteps, buildListLeaveSteps } from '../groups/groups.records.ts'
import { buildMemberItem, hasSameNames, type MemberNames } from '../groups/member-items.records.ts'
import { buildNameSteps, type NamedUser } from '../names/name-steps.records.ts'
import type { NameTransfer } from '../names/name-transfer.records.ts'
import { buildDeletionSteps } from './account-deletions.records.ts'
import { buildAdminSteps } from './admins.records.ts'
import { buildHolderSteps } from './attributes.records.ts'
import { withRestingRights } from './resting-rights.records.ts'
import type { UserRecord } from './stored-user.records.ts'
import { buildUserTotalSteps, type CountedUser } from './user-listing.records.ts'

/*
 * The table holds more of a user than the record: markers of the username and email address, an item for each group
 * membership, the value of the searchable attribute and the day of a deletion, and the entry among the administrators. They
 * all change with the record, in one transaction.
 */

type IndexedUser = NamedUser &
  CountedUser &
  Pick<
    UserRecord,
    | 'attributes'
    | 'deletion'
    | 'full_name'
    | 'groups'
    | 'permissions'
    | 'is_enabled'
    | 'expiresAt'
    | 'restingRights'
  >

/** Builds a step that fails if the user may not join the group. */
export type JoinGuard = (groupId: number) => Step

/** The minimum: otherwise a group that is deleted concurrently would keep the member forever. */
const buildGroupExistsStep: JoinGuard = (groupId) => ({ check: groupKey(groupId), condition: isPresent })

/**
 * Fails if the group gives a privileged permission, and increases its version. A concurrent edit that gives it one then
 * conflicts, reads the group again and finds the new member.
 */
export const buildUnprivilegedGroupStep: JoinGuard = (groupId) =>
  buildGuardedGroupStep(groupId, (x) =>
    privilegedPermissions
      .map((permission) => `NOT contains(${x.path('permissions')}, ${x.value(permission)})`)
      .join(' AND '),
  )

/** Does the same, and fails if the group gives any permission. */
export const buildPlainGroupStep: JoinGuard = (groupId) =>
  buildGuardedGroupStep(groupId, (x) => `${x.path('permissions')} = ${x.value([])}`)

const buildGuardedGroupStep = (groupId: number, condition: Condition): Step => ({
  update: groupKey(groupId),
  changes: (x) => ({
    set: [`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`],
    condition: `${isPresent(x)} AND ${condition(x)}`,
  }),
})

/** Lets a transaction fail if the permissions of a group were changed since it was read. */
export const buildSamePermissionsStep = ({
  id,
  permissions,
}: {
  readonly id: number
  readonly permissions: readonly string[]
}): Step => ({
  check: groupKey(id),
  condition: (x) => `${x.path('permissions')} = ${x.value(permissions)}`,
  orElse: () => new EditConflict(),
})

/** The same for callers with more rights: fails if the group has other permissions than these, in the same order. */
export const buildGroupUnchangedStep = (groupId: number, permissions: readonly string[]): Step => ({
  update: groupKey(groupId),
  changes: (x) => ({
    set: [`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`],
    condition: `${x.path('permissions')} = ${x.value(permissions)}`,
  }),
})

export interface IndexOptions {
  /** Checks each group that the user joins. By default, it has to exist. */
  readonly guard?: JoinGuard | undefined
  /** Is stored with new markers: see `findClaims`. */
  readonly origin?: string | undefined
  readonly transfer?: NameTransfer | undefined
  /** Groups whose list of members has no room. */
  readonly fullLists?: ReadonlySet<number>
  /** Chooses the counter of users: see `buildTotalSteps`. */
  readonly totalsBlock?: number
}

/**
 * Builds the other steps of a transaction that changes a user's record. `before` is undefined for a new user, and
 * `after` for a deleted one.
 *
 * If several of them fail, the error of the first decides: EditConflict (a group does not exist or its guard rejects
 * the user), then NotUnique, then LastAdmin.
 */
export const buildIndexSteps = (
  from: IndexedUser | undefined,
  to: IndexedUser | undefined,
  { guard, origin, transfer, fullLists, totalsBlock }: IndexOptions = {},
): readonly Step[] => {
  const [before, after] = [from && withRestingRights(from), to && withRestingRights(to)]
  return [
    ...buildMemberSteps(before, after, guard, fullLists),
    ...buildNameSteps(before, after, { origin, transfer }),
    ...buildHolderSteps((after ?? before)?.id ?? 0, before?.attributes, after?.attributes),
    ...buildDeletionSteps(before, after),
    ...buildAdminSteps((after ?? before)?.id ?? 0, before, after),
    ...buildUserTotalSteps(before, after, totalsBlock),
  ]
}

type Member = MemberNames & Pick<UserRecord, 'groups'>

const buildMemberSteps = (
  before: Member | undefined,
  after: Member | undefined,
  guard: JoinGuard = buildGroupExistsStep,
  fullLists?: ReadonlySet<number>,
): readonly Step[] => {
  const [oldGroups, newGroups] = [before?.groups ?? [], after?.groups ?? []]
  const id = (after ?? before)?.id ?? 0
  const left = oldGroups.filter((group) => !newGroups.includes(group))
  const joined = newGroups.filter((group) => !oldGroups.includes(group))
  return [
    ...left.flatMap((group): Step[] => [
      { delete: memberKey(group, id) },
      ...buildListLeaveSteps(group, [id]),
    ]),
    ...joined.flatMap((group): Step[] => [
      { ...guard(group), orElse: () => new EditConflict() },
      { put: after ? buildMemberItem(group, after) : { ...memberKey(group, id) } },
      ...buildListJoinSteps(group, [id], fullLists),
    ]),
    ...(after ? buildRenameSteps(after, listRenamed(before, after).first) : []),
  ]
}

/** A transaction has at most 100 steps. Other names and groups of the user take up to 40 of them, and each group that changes up to three. */
const stepsForGroups = 60

/**
 * The groups that keep a user whose names change, so that their entries have other places. `first` fit into the transaction that
 * changes the user, and few users have more.
 */
export const listRenamed = (
  before: Member | undefined,
  after: Member,
): { readonly first: readonly number[]; readonly rest: readonly number[] } => {
  if (!before || hasSameNames(before, after)) return { first: [], rest: [] }
  const kept = before.groups.filter((group) => after.groups.includes(group))
  const changed = before.groups.length + after.groups.length - 2 * kept.length
  const room = Math.max(0, stepsForGroups - 3 * changed)
  return { first: kept.slice(0, room), rest: kept.slice(room) }
}

/** Builds the steps that give a user other places in the lists of their groups. */
export const buildRenameSteps = (user: MemberNames, groups: readonly number[]): readonly Step[] =>
  groups.map((group) => ({ put: buildMemberItem(group, user) }))

/** A transaction has at most 100 steps, and each group that a user joins takes three. */
const groupChangesPerTransaction = 25

/**
 * The lists of groups that lead from one list to another, each in one transaction. The user leaves groups first, then
 * joins groups.
 */
export const chunkGroups = (
  from: readonly number[],
  to: readonly number[],
): readonly (readonly number[])[] => {
  const changes = [
    ...from.filter((id) => !to.includes(id)).map((id) => ({ id, joins: false })),
    ...to.filter((id) => !from.includes(id)).map((id) => ({ id, joins: true })),
  ]
  const chunks: (readonly number[])[] = []
  let groups = from
  for (let at = 0; at + groupChangesPerTransaction < changes.length; at += groupChangesPerTransaction) {
    const some = changes.slice(at, at + groupChangesPerTransaction)
    const left = new Set(some.flatMap(({ id, joins }) => (joins ? [] : [id])))
    const joined = some.flatMap(({ id, joins }) => (joins ? [id] : []))
    groups = [...groups.filter((id) => !left.has(id)), ...joined]
    chunks.push(groups)
  }
  // The last list has the requested order.
  return [...chunks, to]
}
