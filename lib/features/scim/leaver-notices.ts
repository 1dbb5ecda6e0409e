import {
  buildAdministratorNoticeStep,
  buildOwnersNoticeStep,
} from '../../accounts/outbox/security-notices.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { day, hour } from '../../kernel/util/time.ts'
import { countLeaver, sendOnce } from '../provisioning/leavers.records.ts'
import type { ScimContext } from './scim-context.ts'

/** Counts a leaver. Owners, or administrators for a connection of the whole service, get one email if many left lately. */
export const noteLeaver = async ({ services, caller, context }: ScimContext): Promise<void> => {
  const { table, now } = services
  const { connection } = caller
  const { id: connectionId, name, organization_id: organizationId } = connection
  const nowMs = now()
  if (!(await countLeaver(table, connectionId, nowMs))) return
  const change = 'directory_people_left'
  const step =
    organizationId === null
      ? buildAdministratorNoticeStep(context, change, name, connection)
      : buildOwnersNoticeStep(context, { change, organizationId, name })
  await sendOnce(table, [step], { connectionId, subject: 'left', nowMs, withinMs: hour })
}

/** Tells administrators that the last owner of an organization left, so that they make somebody else an owner. */
export const noteKeptOwner = (
  { services: { table, now }, caller: { connection }, context }: ScimContext,
  { id, username }: UserRecord,
): Promise<void> =>
  sendOnce(table, [buildAdministratorNoticeStep(context, 'directory_owner_kept', username)], {
    connectionId: connection.id,
    subject: `owner#${id}`,
    nowMs: now(),
    withinMs: 7 * day,
  })
