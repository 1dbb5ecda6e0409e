import { newUser } from '../../lib/accounts/new-user.ts'
import { effectivePermissions, isAdmin } from '../../lib/accounts/permissions.ts'
import { userDetail } from '../../lib/accounts/user-body.ts'
import { userFaults } from '../../lib/accounts/user-faults.ts'
import { userFieldsOf } from '../../lib/accounts/user-fields.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { ServiceUserDetailUpdate } from '../../lib/contract/models/user-update.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, conflict, invalidRequest } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findGroups } from '../../lib/store/groups.ts'
import type { Table } from '../../lib/store/table.ts'
import { createUser as createStoredUser, NotUnique, type UserRecord } from '../../lib/store/users.ts'

/** Adds a user. It has no password yet: who manages users sets one, or sends a link for it. */
export const createUser: UseCase<typeof users.createUser> = async (
  { body, principal, visitor },
  { table, now },
) => {
  await requireAdminToMakeAdmins(table, principal.user, body.permissions)
  await requireSoundFields(table, body)
  const { username, email = null, ...rest } = body
  const fields = newUser({ ...userFieldsOf(rest), username, email })
  try {
    const user = await createStoredUser(table, fields, now(), (id) => [
      recorded(visitor, 'user.created', { user: id }),
    ])
    const location = `/api/2/users/${user.id}`
    return { status: 201, headers: { location }, body: await userDetail(table, user) }
  } catch (error) {
    if (error instanceof NotUnique) throw conflict(takenSentence(error))
    throw error
  }
}

const requireAdminToMakeAdmins = async (
  table: Table,
  creator: UserRecord,
  permissions: readonly string[],
): Promise<void> => {
  if (isAdmin(permissions) && !isAdmin(await effectivePermissions(table, creator)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of system:admin-access may give it to somebody.',
    })
}

const requireSoundFields = async (table: Table, body: ServiceUserDetailUpdate): Promise<void> => {
  const faults = await userFaults(body, (ids) => findGroups(table, ids))
  if (faults.length > 0) throw invalidRequest(faults)
}

const takenSentence = ({ taken }: NotUnique): string =>
  taken.includes('username') ? 'Another user has this username.' : 'Another user has this e-mail address.'
