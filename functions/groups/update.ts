import { validateNameField } from '../../lib/accounts/common/names.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { buildAdminAccessAuditSteps } from '../../lib/accounts/directory/admin-access-audit.ts'
import { isAdministrator, requireRightToGrant } from '../../lib/accounts/directory/admin-rights.ts'
import { toGroupDetail } from '../../lib/accounts/directory/group-body.ts'
import {
  type GroupFields,
  patchGroupFields,
  readGroupFields,
} from '../../lib/accounts/directory/group-fields.ts'
import {
  applyMembers,
  emptyMemberPlan,
  type MemberPlan,
  planMembers,
} from '../../lib/accounts/directory/group-members.ts'
import { requireGroup } from '../../lib/accounts/directory/require-records.ts'
import { diffFields, listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import type { ServiceGroupDetail } from '../../lib/contract/models/groups.ts'
import type { groups } from '../../lib/contract/operations/groups.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase, UseCaseRequest } from '../../lib/http/use-case.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { editUniqueNameRecord } from '../../lib/store/engine/unique-name-records.ts'
import { type GroupRecord, groupKind } from '../../lib/store/records/group-record.ts'

/**
 * Replaces what a body can set of a group: what it leaves out returns to its default, and there is nobody in
 * it.
 */
export const updateGroup: UseCase<typeof groups.updateGroup> = async (request, { table }) => {
  const group = await requireGroup(table, request.params.id)
  const members = request.body.members ?? []
  return { status: 200, body: await change(table, request, group, readGroupFields(request.body), members) }
}

/** Changes what the body names. */
export const patchGroup: UseCase<typeof groups.patchGroup> = async (request, { table }) => {
  const group = await requireGroup(table, request.params.id)
  const fields = patchGroupFields(group, request.body)
  return { status: 200, body: await change(table, request, group, fields, request.body.members) }
}

const change = async (
  table: Table,
  { principal, context }: Pick<UseCaseRequest<typeof groups.patchGroup>, 'principal' | 'context'>,
  group: GroupRecord,
  fields: GroupFields,
  members: readonly { readonly id: number }[] | undefined,
): Promise<ServiceGroupDetail> => {
  const callerIsAdmin = await isAdministrator(table, principal.user)
  requireRightToGrant(callerIsAdmin, { permissions: [group.permissions, fields.permissions] })
  const plan = members ? await planMembers(table, group.id, members, callerIsAdmin) : emptyMemberPlan
  const faults = [...validateNameField(fields.name), ...plan.errors]
  if (faults.length > 0) throw invalidRequest(faults)
  return toGroupDetail(table, await write(table, context, group, fields, plan))
}

/**
 * Takes before it gives: while members come and go, in as many transactions as it takes, the group grants
 * what it did before as well as after, so that nobody has for a moment what was meant for others. Made again
 * after an interruption, it does what is left to do.
 */
const write = async (
  table: Table,
  context: RequestContext,
  group: GroupRecord,
  fields: GroupFields,
  plan: MemberPlan,
): Promise<GroupRecord> => {
  const moves = plan.joining.length + plan.leaving.length > 0
  const meanwhile = moves
    ? { ...fields, permissions: fields.permissions.filter((name) => group.permissions.includes(name)) }
    : fields
  const first = diffFields<GroupFields>(group, meanwhile)
  if (Object.keys(first).length === 0 && !moves && fields === meanwhile) return group
  const changed = await edit(table, context, group, first, moves ? 'members' : '')
  await applyMembers(table, changed, plan, context)
  const rest = diffFields<GroupFields>(changed, fields)
  return Object.keys(rest).length === 0 ? changed : edit(table, context, changed, rest, '')
}

const edit = (
  table: Table,
  context: RequestContext,
  group: GroupRecord,
  changes: Partial<GroupFields>,
  besides: string,
): Promise<GroupRecord> => {
  const target = String(group.id)
  const names = [target, listFieldNames(changes), besides].filter((text) => text !== '')
  return editUniqueNameRecord(table, groupKind, group, changes, [
    auditStep(context, 'group.changed', { target: names.join(' ') }),
    ...buildAdminAccessAuditSteps(context, group.permissions, changes.permissions, { target }),
  ])
}
