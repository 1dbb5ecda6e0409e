import { thingSteps } from '../../../accounts/events/write-event.ts'
import { findGroup, groupKind } from '../../../accounts/groups/groups.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { notFound } from '../../../kernel/errors/errors.ts'
import { membersRemovedPerRequest } from '../../../kernel/limits/limits.ts'
import { retryConflicts } from '../../../kernel/table/retry-conflicts.ts'
import { deleteUniqueNameRecord } from '../../../kernel/table/unique-name-records.ts'
import { readCallerRights, requireControl, requireProofForRights } from '../rights/account-rights.ts'
import { buildAdminAccessSteps } from '../rights/admin-access-steps.ts'
import type { groups } from './groups.operations.ts'
import { buildLeaveSteps, removeStaleMembers } from './memberships.records.ts'

/**
 * Deletes a group with its memberships in one transaction. If it has more members than fit into one, it grants nothing
 * from the first write on, and then its memberships are removed. Repeating the request resumes an interrupted removal.
 */
export const deleteGroup: UseCase<typeof groups.deleteGroup> = async (
  { params, principal, context },
  services,
) => {
  const { table } = services
  const wasThere = await retryConflicts(async () => {
    const group = await findGroup(table, params.id)
    if (!group) return false
    requireControl(await readCallerRights(table, principal), group.permissions)
    await requireProofForRights(services, principal, [{ permissions: group.permissions, groups: [] }])
    const target = String(group.id)
    await deleteUniqueNameRecord(table, groupKind, group, [
      ...thingSteps(context, 'group.deleted', group.id),
      ...buildAdminAccessSteps(context, group.permissions, [], { target, name: group.name }),
      ...(await buildLeaveSteps(table, group.id)),
    ])
    return true
  }, 'The group kept changing while it was deleted.')
  // Also those who joined after the members were read.
  const hadMembers = await removeStaleMembers(table, params.id, membersRemovedPerRequest)
  if (!wasThere && !hadMembers) throw notFound('group')
  return { status: 204 }
}
