import { validateNameField } from '../../lib/accounts/common/names.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import {
  readCallerRights,
  requireControl,
  requireProofForRights,
} from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessSteps } from '../../lib/accounts/directory/admin-access-steps.ts'
import { findGroupsOf, toGroupDetailWith } from '../../lib/accounts/directory/group-body.ts'
import { type GroupFields, readGroupFields } from '../../lib/accounts/directory/group-fields.ts'
import {
  applyMembers,
  type MemberPlan,
  planFirstMembers,
  planMembers,
} from '../../lib/accounts/directory/group-members.ts'
import type { groups } from '../../lib/contract/operations/groups.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { type GroupRecord, groupKind } from '../../lib/store/directory/groups.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { ConditionFailed, EditConflict } from '../../lib/store/engine/transaction.ts'
import { createUniqueNameRecord } from '../../lib/store/engine/unique-name-records.ts'

/** Creates a group with its members. Members that do not fit into the first transaction follow in others. */
export const createGroup: UseCase<typeof groups.createGroup> = async (
  { body, principal, context },
  services,
) => {
  const { table } = services
  const rights = await readCallerRights(table, principal)
  const fields = readGroupFields(body)
  requireControl(rights, fields.permissions)
  await requireProofForRights(services, principal, [{ permissions: fields.permissions, groups: [] }])
  return retryConflicts(async () => {
    const plan = await planMembers(table, undefined, body.members ?? [], rights)
    const errors = [...validateNameField(body.name), ...plan.errors]
    if (errors.length > 0) throw invalidRequest(errors)
    const others = await findGroupsOf(table, plan.newMembers)
    const group = await storeGroup(table, fields, plan, context)
    const location = `/api/2/groups/${group.id}`
    return { status: 201, headers: { location }, body: buildBody(group, plan, others) }
  }, 'The members kept changing while the group was created. Try again.')
}

/** @throws EditConflict when one of the first members was changed since the plan was made */
const storeGroup = async (
  table: Table,
  fields: GroupFields,
  plan: MemberPlan,
  context: RequestContext,
): Promise<GroupRecord> => {
  const { steps, rest } = planFirstMembers(plan, context)
  const group = await createUniqueNameRecord(table, groupKind, fields, (id) => [
    auditStep(context, 'group.created', { target: String(id) }),
    ...buildAdminAccessSteps(context, [], fields.permissions, { target: String(id), name: fields.name }),
    ...steps(id),
  ]).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? new EditConflict() : error
  })
  await applyMembers(table, group, rest, context)
  return group
}

/** Builds the body without another read, because an error after the write would hide that the group was created. */
const buildBody = (group: GroupRecord, { newMembers }: MemberPlan, others: readonly GroupRecord[]) => {
  const members = newMembers
    .map((user) => ({ ...user, groups: [...user.groups, group.id], version: user.version + 1 }))
    .sort((a, b) => a.id - b.id)
  return toGroupDetailWith(group, members, [...others, group])
}
