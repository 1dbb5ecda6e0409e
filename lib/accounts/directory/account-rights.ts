import { AppError } from '../../core/errors.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { getEffectivePermissions, isAdmin } from '../common/permissions.ts'

/**
 * Refuses to change an administrator's account on behalf of somebody who is none: or managing users would be a way
 * to become one.
 *
 * @throws AppError `permission_denied`
 */
export const requireRightToChange = async (
  { table }: Services,
  changer: UserRecord,
  user: UserRecord,
): Promise<void> => {
  if (!isAdmin(await getEffectivePermissions(table, user))) return
  if (!isAdmin(await getEffectivePermissions(table, changer)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of system:admin-access may change the account of one.',
    })
}
