import { adminAccessRecords } from '../../lib/accounts/admin-records.ts'
import { isAdministrator, requireRightToGrant } from '../../lib/accounts/admin-rights.ts'
import { groupDetail } from '../../lib/accounts/group-body.ts'
import { groupFieldsOf } from '../../lib/accounts/group-fields.ts'
import { applyMembers, planMembers } from '../../lib/accounts/group-members.ts'
import { nameFaults } from '../../lib/accounts/names.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { groups } from '../../lib/contract/operations/groups.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { GroupRecord } from '../../lib/store/groups.ts'
import { createNamed } from '../../lib/store/named.ts'

/** Adds a group, then its members to it. */
export const createGroup: UseCase<typeof groups.createGroup> = async (
  { body, principal, visitor },
  { table },
) => {
  const callerIsAdmin = await isAdministrator(table, principal.user)
  const fields = groupFieldsOf(body)
  requireRightToGrant(callerIsAdmin, { permissions: [fields.permissions] })
  const members = await planMembers(table, undefined, body.members ?? [], callerIsAdmin)
  const faults = [...nameFaults(body.name), ...members.faults]
  if (faults.length > 0) throw invalidRequest(faults)
  const group = await createNamed<GroupRecord>(table, 'group', fields, (id) => [
    recorded(visitor, 'group.created', { target: String(id) }),
    ...adminAccessRecords(visitor, [], fields.permissions, { target: String(id) }),
  ])
  await applyMembers(table, group, members, visitor)
  const location = `/api/2/groups/${group.id}`
  return { status: 201, headers: { location }, body: await groupDetail(table, group) }
}
