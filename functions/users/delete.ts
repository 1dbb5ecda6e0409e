import { requireRightToChange } from '../../lib/accounts/account-rights.ts'
import { adminAccessRecords } from '../../lib/accounts/admin-records.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { clearLeftovers, deleteUser as deleteStoredUser } from '../../lib/store/delete-user.ts'
import { goneUserStep } from '../../lib/store/gone-users.ts'
import { findUser } from '../../lib/store/users.ts'

/** Deletes a user with all that hangs on it. Once more, it finishes what was interrupted. */
export const deleteUser: UseCase<typeof users.deleteUser> = async (
  { params, principal, visitor },
  services,
) => {
  const { table } = services
  const user = await findUser(table, params.id)
  if (user) {
    await requireRightToChange(services, principal.user, user)
    await deleteStoredUser(table, user, [
      goneUserStep(user, services.now()),
      recorded(visitor, 'user.deleted', { user: user.id }),
      ...adminAccessRecords(visitor, user.permissions, [], { user: user.id }),
    ])
  }
  const hadLeftovers = await clearLeftovers(table, params.id)
  if (!user && !hadLeftovers) throw notFound()
  return { status: 204 }
}
