import type { Principal } from '../../lib/accounts/common/principal.ts'
import { requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { isAdministrator } from '../../lib/accounts/directory/admin-rights.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { Services } from '../../lib/services.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'

/**
 * Returns the ID of the user whose tokens a request is about: the caller, or, for administrators, the user that the
 * query names.
 *
 * @throws AppError `permission_denied` for another user, unless the caller is an administrator
 */
export const requireTokenOwner = async (
  { table }: Services,
  principal: Principal,
  given: number | undefined,
): Promise<number> => {
  if (given === undefined || given === principal.user.id) return principal.user.id
  if (!(await isAdministrator(table, principal)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of `system:admin-access` may see or delete API tokens of other users.',
    })
  return given
}

/**
 * Returns the user whose token a request deletes. The API token of an administrator cannot delete API tokens of other
 * administrators.
 *
 * @throws AppError `permission_denied` as above, and `not_found` when the user does not exist
 */
export const requireChangeableTokenOwner = async (
  services: Services,
  principal: Principal,
  given: number | undefined,
): Promise<UserRecord> => {
  const id = await requireTokenOwner(services, principal, given)
  if (id === principal.user.id) return principal.user
  const owner = await requireUser(services.table, id)
  await requireRightToChange(services, principal, owner)
  return owner
}
