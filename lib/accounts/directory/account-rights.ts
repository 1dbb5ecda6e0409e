import { AppError, notFound } from '../../core/errors.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { getEffectivePermissions, hasAdminAccess } from '../common/permissions.ts'

/**
 * Rejects a change of an administrator's account by a caller who is not an administrator. Otherwise the permission to
 * manage users would be a way to become one.
 *
 * @throws AppError `permission_denied`
 */
export const requireRightToChange = async (
  { table }: Services,
  changer: UserRecord,
  user: UserRecord,
): Promise<void> => {
  if (!hasAdminAccess(await getEffectivePermissions(table, user))) return
  if (!hasAdminAccess(await getEffectivePermissions(table, changer)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of `system:admin-access` may change the account of an administrator.',
    })
}

/** @throws AppError `not_found` when the ID in the path is not the caller's own */
export const requireOwnId = (caller: UserRecord, id: number): void => {
  if (id !== caller.id) throw notFound()
}
