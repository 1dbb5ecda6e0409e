import { auditStep } from '../../lib/accounts/common/request-context.ts'
import {
  getJoinGuard,
  readCallerRights,
  requireControl,
} from '../../lib/accounts/directory/account-rights.ts'
import { buildAdminAccessAuditSteps } from '../../lib/accounts/directory/admin-access-audit.ts'
import { buildUser } from '../../lib/accounts/directory/new-user.ts'
import { toUserDetailWith } from '../../lib/accounts/directory/user-body.ts'
import { readUserFields } from '../../lib/accounts/directory/user-fields.ts'
import { validateUser } from '../../lib/accounts/directory/user-validation.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import { createUser as createStoredUser } from '../../lib/store/directory/users.ts'

/** Creates a user without a password. An administrator or user manager can set one or send a reset link. */
export const createUser: UseCase<typeof users.createUser> = async (
  { body, principal, context },
  { table, now },
) => {
  const rights = await readCallerRights(table, principal)
  const groups = await findGroups(table, body.groups)
  requireControl(rights, body.permissions, groups)
  const errors = await validateUser(body, async () => groups)
  if (errors.length > 0) throw invalidRequest(errors)
  const { username, email = null, ...rest } = body
  const fields = buildUser({ ...readUserFields(rest), username, email })
  const extraSteps = (id: number) => [
    auditStep(context, 'user.created', { user: id }),
    ...buildAdminAccessAuditSteps(context, [], body.permissions, { user: id }),
  ]
  const user = await createStoredUser(table, fields, now(), {
    extraSteps,
    guard: getJoinGuard(rights, groups),
  })
  const location = `/api/2/users/${user.id}`
  return { status: 201, headers: { location }, body: toUserDetailWith(user, groups) }
}
