import { AppError, conflict, type FieldError } from '../../core/errors.ts'
import { groupsPerUser, membersPerBody } from '../../core/limits.ts'
import { findGroups } from '../../store/directory/groups.ts'
import {
  buildFirstMemberSteps,
  changeMembers,
  findMemberIds,
  maxUsersPerTransaction,
} from '../../store/directory/memberships.ts'
import { findUsers } from '../../store/directory/users.ts'
import type { Table } from '../../store/engine/table.ts'
import type { Step } from '../../store/engine/transaction.ts'
import type { GroupRecord } from '../../store/records/group-record.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { findAdministratorsAmong } from './admin-rights.ts'

/** Which users a body adds to a group, which it removes, and why that can't be. */
export interface MemberPlan {
  readonly joining: readonly number[]
  readonly leaving: readonly number[]
  readonly faults: readonly FieldError[]
  /** Those who join, as they were read. */
  readonly newMembers: readonly UserRecord[]
}

export const hasSameMembers: MemberPlan = { joining: [], leaving: [], faults: [], newMembers: [] }

/**
 * What has to change so that these are the members, after a look at whether it may and can be done.
 *
 * @throws AppError `permission_denied` for administrators when the caller is none, `conflict` for a group of
 * more members than a body can tell.
 */
export const planMembers = async (
  table: Table,
  groupId: number | undefined,
  wanted: readonly { readonly id: number }[],
  callerIsAdmin: boolean,
): Promise<MemberPlan> => {
  const next = [...new Set(wanted.map(({ id }) => id))]
  if (next.length > membersPerBody)
    return { ...hasSameMembers, faults: [fault(`must be at most ${membersPerBody} entries long`)] }
  const current = groupId === undefined ? [] : await findMemberIds(table, groupId, membersPerBody + 1)
  if (current.length > membersPerBody)
    throw conflict(
      `The group has more than ${membersPerBody} members, which no body tells: change its users’ groups instead.`,
    )
  const [had, has] = [new Set(current), new Set(next)]
  const joining = next.filter((id) => !had.has(id))
  const leaving = current.filter((id) => !has.has(id))
  const users = await findUsers(table, [...joining, ...leaving])
  const found = users.filter((user) => user !== undefined)
  if (!callerIsAdmin) await requireNoAdministrator(table, found)
  const newMembers = users.slice(0, joining.length).filter((user) => user !== undefined)
  return { joining, leaving, faults: moveFaults(joining, users), newMembers }
}

const moveFaults = (
  joining: readonly number[],
  users: readonly (UserRecord | undefined)[],
): readonly FieldError[] => {
  const missing = joining.filter((_, at) => users[at] === undefined)
  const full = joining.filter((_, at) => (users[at]?.groups.length ?? 0) >= groupsPerUser)
  return [
    ...(missing.length > 0 ? [fault(`names users that don't exist: ${firstOf(missing)}`)] : []),
    ...(full.length > 0
      ? [fault(`names users that are in ${groupsPerUser} groups already: ${firstOf(full)}`)]
      : []),
  ]
}

const fault = (message: string): FieldError => ({ field: 'members', message })
const firstOf = (ids: readonly number[]): string => ids.slice(0, 20).join(', ')

/** An administrator's groups are part of its account. */
const requireNoAdministrator = async (table: Table, users: readonly UserRecord[]): Promise<void> => {
  const groups = await findGroups(
    table,
    users.flatMap((user) => user.groups),
  )
  if (findAdministratorsAmong(users, groups).length > 0)
    throw new AppError('permission_denied', {
      detail: 'Only a holder of system:admin-access may change the groups of one.',
    })
}

/**
 * The first of those who join, to be in a group from the moment it is made: so a group of a few members is made whole or
 * not at all. The steps refuse when one of them was changed since; the others are for `applyMembers`.
 */
export const planFirstMembers = (
  { joining, newMembers }: MemberPlan,
  context: RequestContext,
): { readonly steps: (groupId: number) => readonly Step[]; readonly rest: MemberPlan } => ({
  steps: (groupId) => {
    const target = String(groupId)
    const along = (user: number) => [auditStep(context, 'group.member_added', { user, target })]
    return buildFirstMemberSteps(groupId, newMembers.slice(0, maxUsersPerTransaction), along)
  },
  rest: {
    ...hasSameMembers,
    joining: joining.slice(maxUsersPerTransaction),
    newMembers: newMembers.slice(maxUsersPerTransaction),
  },
})

/** Removes, then adds, each with a record of its own; may be made again when it was interrupted. */
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
    along: (user) => [auditStep(context, 'group.member_removed', { user, target })],
  })
  await changeMembers(table, group, {
    ids: joining,
    joins: true,
    along: (user) => [auditStep(context, 'group.member_added', { user, target })],
  })
}
