import { allowsPermission, sortPermissions } from '../../lib/accounts/common/permissions.ts'
import { showAttributes } from '../../lib/accounts/directory/user-attributes.ts'
import { toUserDetailWith } from '../../lib/accounts/directory/user-body.ts'
import { describeJoining } from '../../lib/accounts/invitations/invitation-state.ts'
import type { ServiceUserDetail } from '../../lib/contract/models/users.ts'
import type { Services } from '../../lib/services.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import type { DeletionRequest, UserRecord } from '../../lib/store/directory/user-record.ts'
import { formatTime } from '../../lib/util/format-time.ts'

/** The detail of a user with what only those who manage users see. */
export const toManagedUser = async (
  { table, now }: Services,
  user: UserRecord,
): Promise<ServiceUserDetail> => {
  const groups = await findGroups(table, user.groups)
  const withheld = groups
    .flatMap(({ permissions }) => permissions)
    .filter((permission) => !allowsPermission(user.rightsLimit, permission))
  return {
    ...toUserDetailWith(user, groups),
    ...describeJoining(user, now()),
    attributes: [...(await showAttributes(table, user))],
    ...(user.deletion ? { deletion: describeDeletion(user.deletion) } : {}),
    ...(withheld.length > 0 ? { withheld_permissions: [...sortPermissions(withheld)] } : {}),
  }
}

const describeDeletion = ({ requestedAt, dueAt }: DeletionRequest): ServiceUserDetail['deletion'] => ({
  requested_at: formatTime(requestedAt),
  due_at: formatTime(dueAt),
})
