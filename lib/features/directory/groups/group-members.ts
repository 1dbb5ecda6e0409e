import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import type { GroupMembersChange } from '../../../accounts/groups/groups.models.ts'
import type { GroupRecord } from '../../../accounts/groups/groups.records.ts'
import { findUsers } from '../../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../../accounts/users/guest-state.records.ts'
import type { UserRecord } from '../../../accounts/users/stored-user.records.ts'
import { conflict, type FieldError } from '../../../kernel/errors/errors.ts'
import { groupsPerUser, membersPerBody } from '../../../kernel/limits/limits.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import { type CallerRights, requireControlOfUsers } from '../rights/account-rights.ts'
import {
  buildFirstMemberSteps,
  changeMembers,
  findMemberIds,
  maxUsersPerTransaction,
} from './memberships.records.ts'

/** The users that a body adds to a group and removes from it, and the reasons why it cannot. */
export interface MemberPlan {
  readonly joining: readonly number[]
  readonly leaving: readonly number[]
  readonly errors: readonly FieldError[]
  /** The joining users as read. */
  readonly newMembers: readonly UserRecord[]
}

export const emptyMemberPlan: MemberPlan = { joining: [], leaving: [], errors: [], newMembers: [] }

/**
 * Plans the change after which a group has exactly these members, and validates it.
 *
 * @throws AppError `permission_denied` when a user joins or leaves whose account the caller may not change
 * @throws AppError `conflict` when the group has more members than a body can contain
 */
export const planMembers = async (
  table: Table,
  groupId: number | undefined,
  wanted: readonly { readonly id: number }[],
  rights: CallerRights,
): Promise<MemberPlan> => {
  const next = [...new Set(wanted.map(({ id }) => id))]
  if (next.length > membersPerBody)
    return { ...emptyMemberPlan, errors: [membersError(`must be at most ${membersPerBody} entries long`)] }
  const current = groupId === undefined ? [] : await findMemberIds(table, groupId, membersPerBody + 1)
  if (current.length > membersPerBody)
    throw conflict(
      `The group has more than ${membersPerBody} members. Call \`change_group_members\` instead.`,
    )
  const [before, after] = [new Set(current), new Set(next)]
  const joining = next.filter((id) => !before.has(id))
  const leaving = current.filter((id) => !after.has(id))
  const users = await findUsers(table, [...joining, ...leaving])
  const found = users.filter((user) => user !== undefined)
  // The groups of a user are part of their account.
  await requireControlOfUsers(table, rights, found)
  const newMembers = users.slice(0, joining.length).filter((user) => user !== undefined)
  return { joining, leaving, errors: validateJoining(joining, users), newMembers }
}

/**
 * Plans which users join and leave a group, and validates it. Takes no read of the other members.
 *
 * @throws AppError `permission_denied` when a user joins or leaves whose account the caller may not change
 */
export const planMemberChange = async (
  table: Table,
  groupId: number,
  { add = [], remove = [] }: GroupMembersChange,
  rights: CallerRights,
): Promise<MemberPlan> => {
  const [added, removed] = [[...new Set(add)], [...new Set(remove)]]
  if (added.length + removed.length > membersPerBody) {
    const message = `must be at most ${membersPerBody} entries long together with \`remove\``
    return { ...emptyMemberPlan, errors: [{ field: 'add', message }] }
  }
  const both = removed.filter((id) => added.includes(id))
  const users = new Map(
    (await findUsers(table, [...new Set([...added, ...removed])])).flatMap((user) =>
      user ? [[user.id, user]] : [],
    ),
  )
  const isMember = (id: number): boolean => users.get(id)?.groups.includes(groupId) ?? false
  const [joining, leaving] = [added.filter((id) => !isMember(id)), removed.filter(isMember)]
  const changed = [...joining, ...leaving].flatMap((id) => users.get(id) ?? [])
  await requireControlOfUsers(table, rights, changed)
  const joiningUsers = joining.map((id) => users.get(id))
  return {
    joining,
    leaving,
    errors: [
      ...validateJoining(joining, joiningUsers, 'add'),
      ...(both.length > 0
        ? [{ field: 'remove', message: `contains IDs that \`add\` contains as well: ${listFirst(both)}` }]
        : []),
    ],
    newMembers: joiningUsers.filter((user) => user !== undefined),
  }
}

const validateJoining = (
  joining: readonly number[],
  users: readonly (UserRecord | undefined)[],
  field = 'members',
): readonly FieldError[] => {
  const missing = joining.filter((_, at) => users[at] === undefined)
  const full = joining.filter((_, at) => (users[at]?.groups.length ?? 0) >= groupsPerUser)
  const guests = joining.filter((_, at) => isGuest(users[at]))
  return [
    ...(guests.length > 0
      ? [membersError(`contains guests of access links: ${listFirst(guests)}`, field)]
      : []),
    ...(missing.length > 0 ? [membersError(`contains unknown user IDs: ${listFirst(missing)}`, field)] : []),
    ...(full.length > 0
      ? [membersError(`contains users who already are in ${groupsPerUser} groups: ${listFirst(full)}`, field)]
      : []),
  ]
}

const isGuest = (user: UserRecord | undefined): boolean => user !== undefined && isGuestUser(user)

const membersError = (message: string, field = 'members'): FieldError => ({ field, message })
const listFirst = (ids: readonly number[]): string => ids.slice(0, 20).join(', ')

/**
 * Plans the members that are added in the transaction that creates the group, as many as fit. A small group is therefore
 * created with all members or not at all. The steps fail when one of these users was changed since they were read. `rest`
 * is for `applyMembers`.
 */
export const planFirstMembers = (
  { joining, newMembers }: MemberPlan,
  context: RequestContext,
): { readonly steps: (groupId: number) => readonly Step[]; readonly rest: MemberPlan } => ({
  steps: (groupId) => {
    const target = String(groupId)
    const extraSteps = (user: number) => [auditStep(context, 'group.member_added', { user, target })]
    return buildFirstMemberSteps(groupId, newMembers.slice(0, maxUsersPerTransaction), extraSteps)
  },
  rest: {
    ...emptyMemberPlan,
    joining: joining.slice(maxUsersPerTransaction),
    newMembers: newMembers.slice(maxUsersPerTransaction),
  },
})

/** Removes and then adds members after another part of the change, with an audit event for each. Can be repeated after an interruption. */
export const applyMembers = async (
  table: Table,
  group: GroupRecord,
  { joining, leaving }: MemberPlan,
  context: RequestContext,
): Promise<void> => {
  const target = String(group.id)
  await changeMembers(table, group, {
    ids: leaving,
    joins: false,
    extraSteps: (user) => [auditStep(context, 'group.member_removed', { user, target })],
  })
  await changeMembers(table, group, {
    ids: joining,
    joins: true,
    extraSteps: (user) => [auditStep(context, 'group.member_added', { user, target })],
  })
}
