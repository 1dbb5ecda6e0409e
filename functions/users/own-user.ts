import type { Principal } from '../../lib/accounts/common/principal.ts'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { diffFields, listFieldNames } from '../../lib/accounts/directory/user-changes.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { UserChanges, UserRecord } from '../../lib/store/directory/user-record.ts'
import { editUser } from '../../lib/store/directory/users.ts'
import type { Table } from '../../lib/store/engine/table.ts'

/** Rejects sessions that an access link opened. */
export const requireOwnSession = ({ session }: Principal): void => {
  if (session?.accessToken)
    throw new AppError('permission_denied', {
      detail: 'Not allowed in a session that an access link opened. Sign in instead.',
    })
}

/** Writes what users change in their own account. Does nothing if everything is as it was. */
export const changeOwnUser = async (
  table: Table,
  { principal: { user }, context }: { readonly principal: Principal; readonly context: RequestContext },
  wanted: UserChanges,
): Promise<UserRecord> => {
  const changes = diffFields<UserChanges>(user, wanted)
  if (Object.keys(changes).length === 0) return user
  const target = listFieldNames(changes, user.attributes)
  return editUser(table, user, changes, {
    extraSteps: [auditStep(context, 'user.changed', { user: user.id, target })],
  })
}
