import { hasAdminAccess } from '../../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { changeSteps } from '../../../accounts/events/change-event.ts'
import { listValueFields, requireUnchanged } from '../../../accounts/events/require-unchanged.ts'
import type { ServiceGroupDetail } from '../../../accounts/groups/groups.models.ts'
import { groupFields } from '../../../accounts/groups/groups.models.ts'
import { type GroupRecord, groupKind } from '../../../accounts/groups/groups.records.ts'
import { validateNameField } from '../../../accounts/names/names.ts'
import { buildAdministratorNoticeStep } from '../../../accounts/outbox/security-notices.ts'
import { requireGroup } from '../../../accounts/users/require-records.ts'
import { diffFields } from '../../../accounts/users/user-changes.ts'
import type { UseCase, UseCaseRequest } from '../../../http/use-case.ts'
import { invalidRequest } from '../../../kernel/errors/errors.ts'
import { retryConflicts } from '../../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { editUniqueNameRecord } from '../../../kernel/table/unique-name-records.ts'
import { groupClientFields } from '../../../published-clients/stored-fields.ts'
import type { Services } from '../../../services.ts'
import { readCallerRights, requireControl, requireProofForRights } from '../rights/account-rights.ts'
import { buildAdminAccessSteps } from '../rights/admin-access-steps.ts'
import { type GroupFields, patchGroupFields, readGroupFields, toGroupDetail } from './group-body.ts'
import {
  applyMembers,
  emptyMemberPlan,
  type MemberPlan,
  planMemberChange,
  planMembers,
} from './group-members.ts'
import type { groups } from './groups.operations.ts'

/** Replaces a group. Fields that the body omits return to their defaults, and the group then has no members. */
export const updateGroup: UseCase<typeof groups.updateGroup> = async (request, services) => {
  const { params, body } = request
  const group = await requireGroup(services.table, params.id)
  const wanted = { fields: readGroupFields(body), members: body.members ?? [] }
  return { status: 200, body: await applyChanges(request, services, group, wanted) }
}

/** Changes the fields that the body contains. */
export const patchGroup: UseCase<typeof groups.patchGroup> = async (request, services) => {
  const { params, body } = request
  const group = await requireGroup(services.table, params.id)
  requireUnchanged(request.context, {
    comparable: listValueFields(groupFields),
    before: showClientFields(group),
  })
  const wanted = { fields: patchGroupFields(group, body), members: body.members }
  return { status: 200, body: await applyChanges(request, services, group, wanted) }
}

/** Adds and removes members, without reading the others. */
export const changeGroupMembers: UseCase<typeof groups.changeGroupMembers> = async (
  { params, body, principal, context },
  services,
) => {
  const { table } = services
  const rights = await readCallerRights(table, principal)
  let first: MemberPlan | undefined
  await retryConflicts(async () => {
    const group = await requireGroup(table, params.id)
    const plan = await planMemberChange(table, group.id, body, rights)
    if (changesMembers(plan)) {
      requireControl(rights, group.permissions)
      await requireProofForRights(services, principal, [{ permissions: group.permissions, groups: [] }])
    }
    if (plan.errors.length > 0) throw invalidRequest(plan.errors)
    // A conflict may follow when a part of the change is made. Then all of it is counted as well.
    first ??= plan
    await storeGroup({ table, context, fields: patchGroupFields(group, {}), plan }, group)
  }, 'The group or its members kept changing. Read what was changed, and do what is left.')
  return { status: 200, body: { added: first?.joining.length ?? 0, removed: first?.leaving.length ?? 0 } }
}

interface WantedGroup {
  readonly fields: GroupFields
  /** Undefined if the members stay the same. */
  readonly members: readonly { readonly id: number }[] | undefined
}

const applyChanges = async (
  { principal, context }: Pick<UseCaseRequest<typeof groups.patchGroup>, 'principal' | 'context'>,
  services: Services,
  group: GroupRecord,
  { fields, members }: WantedGroup,
): Promise<ServiceGroupDetail> => {
  const { table } = services
  const rights = await readCallerRights(table, principal)
  const plan = members ? await planMembers(table, group.id, members, rights) : emptyMemberPlan
  // The name counts, too: identity providers choose groups by name. A body that changes nothing may be sent back.
  if (changesMembers(plan) || Object.keys(diffFields<GroupFields>(group, fields)).length > 0) {
    const permissions = [...group.permissions, ...fields.permissions]
    requireControl(rights, permissions)
    await requireProofForRights(services, principal, [{ permissions, groups: [] }])
  }
  const errors = [...validateNameField(fields.name), ...plan.errors]
  if (errors.length > 0) throw invalidRequest(errors)
  return toGroupDetail(table, await storeGroup({ table, context, fields, plan }, group))
}

const changesMembers = ({ joining, leaving }: MemberPlan): boolean => joining.length + leaving.length > 0

interface GroupEdit {
  readonly table: Table
  readonly context: RequestContext
  readonly fields: GroupFields
  readonly plan: MemberPlan
}

/**
 * Stores new fields and members. Members change in as many transactions as necessary. In between, the group grants only
 * permissions that it has both before and after the change, so that no one ever has a permission that was meant for
 * others. Repeating an interrupted change completes it.
 */
const storeGroup = async (edit: GroupEdit, group: GroupRecord): Promise<GroupRecord> => {
  const { table, context, fields, plan } = edit
  const hasMemberChanges = changesMembers(plan)
  const firstFields = hasMemberChanges
    ? { ...fields, permissions: fields.permissions.filter((name) => group.permissions.includes(name)) }
    : fields
  const first = diffFields<GroupFields>(group, firstFields)
  if (Object.keys(first).length === 0 && !hasMemberChanges) return group
  const changed = await storeFields(edit, group, first, { hasMemberChanges })
  await applyMembers(table, changed, plan, context)
  const rest = diffFields<GroupFields>(changed, fields)
  return Object.keys(rest).length === 0
    ? changed
    : storeFields(edit, changed, rest, { hasMemberChanges: false })
}

const storeFields = (
  { table, context, plan }: GroupEdit,
  group: GroupRecord,
  changes: Partial<GroupFields>,
  { hasMemberChanges }: { readonly hasMemberChanges: boolean },
): Promise<GroupRecord> => {
  const addsAdministrators =
    hasMemberChanges && plan.joining.length > 0 && hasAdminAccess(changes.permissions ?? group.permissions)
  const target = String(group.id)
  const members = hasMemberChanges ? { before: plan.leaving, after: plan.joining } : { before: [], after: [] }
  const change = {
    fields: groupFields,
    before: { ...showClientFields(group), members: members.before },
    after: { ...showClientFields(changes), members: members.after },
  }
  return editUniqueNameRecord(table, groupKind, group, {
    changes,
    extraSteps: [
      ...changeSteps(context, 'group.changed', { of: group.id, change }),
      ...buildAdminAccessSteps(context, group.permissions, changes.permissions, {
        target,
        name: changes.name ?? group.name,
      }),
      ...(addsAdministrators
        ? [buildAdministratorNoticeStep(context, 'administrator_group_changed', group.name)]
        : []),
    ],
  })
}

/** A group with what only published clients know, of which its record has a text, as fields of their own. */
const showClientFields = ({ clientFields, ...rest }: Partial<GroupFields>): object => ({
  ...rest,
  ...(clientFields !== undefined && groupClientFields.read(clientFields)),
})
