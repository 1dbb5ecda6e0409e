import { adminAccessRecords } from '../../lib/accounts/admin-records.ts'
import { isAdministrator, joinGuardFor, requireRightToGrant } from '../../lib/accounts/admin-rights.ts'
import { newUser } from '../../lib/accounts/new-user.ts'
import { userDetailWith } from '../../lib/accounts/user-body.ts'
import { userFaults } from '../../lib/accounts/user-faults.ts'
import { userFieldsOf } from '../../lib/accounts/user-fields.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findGroups } from '../../lib/store/groups.ts'
import { createUser as createStoredUser } from '../../lib/store/users.ts'

/** Adds a user. It has no password yet: who manages users sets one, or sends a link for it. */
export const createUser: UseCase<typeof users.createUser> = async (
  { body, principal, visitor },
  { table, now },
) => {
  const callerIsAdmin = await isAdministrator(table, principal.user)
  const groups = await findGroups(table, body.groups)
  requireRightToGrant(callerIsAdmin, { permissions: [body.permissions], groups })
  const faults = await userFaults(body, async () => groups)
  if (faults.length > 0) throw invalidRequest(faults)
  const { username, email = null, ...rest } = body
  const fields = newUser({ ...userFieldsOf(rest), username, email })
  const along = (id: number) => [
    recorded(visitor, 'user.created', { user: id }),
    ...adminAccessRecords(visitor, [], body.permissions, { user: id }),
  ]
  const user = await createStoredUser(table, fields, now(), along, joinGuardFor(callerIsAdmin))
  const location = `/api/2/users/${user.id}`
  return { status: 201, headers: { location }, body: userDetailWith(user, groups) }
}
