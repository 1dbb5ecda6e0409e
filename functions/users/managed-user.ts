import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import { describeInvitation } from '../../lib/accounts/invitations/invitation-state.ts'
import type { ServiceUserDetail } from '../../lib/contract/models/user-detail.ts'
import type { Services } from '../../lib/services.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'

/** The detail of a user with what only those who manage users see. */
export const toManagedUser = async (
  { table, now }: Services,
  user: UserRecord,
): Promise<ServiceUserDetail> => ({
  ...(await toUserDetail(table, user)),
  invitation: describeInvitation(user, now()),
})
