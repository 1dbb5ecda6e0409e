import { hasAdminAccess } from '../../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import type { AuditEventRecord } from '../../../accounts/events/records.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import type { GroupRecord } from '../../../accounts/groups/groups.records.ts'
import { buildAdministratorNoticeStep } from '../../../accounts/outbox/security-notices.ts'
import type { Step } from '../../../kernel/table/transaction.ts'

/**
 * Builds a separate audit event when a change of permissions grants or revokes `system:admin-access`, so that an alarm
 * can watch for it. All administrators get an email when it is granted. `name` is that of the user or group.
 */
export const buildAdminAccessSteps = (
  context: RequestContext,
  before: readonly string[],
  after: readonly string[] | undefined,
  { name, ...details }: Partial<Pick<AuditEventRecord, 'user' | 'target'>> & { readonly name: string },
): readonly Step[] => {
  if (after === undefined || hasAdminAccess(before) === hasAdminAccess(after)) return []
  if (!hasAdminAccess(after)) return [auditStep(context, 'admin_access.taken', details)]
  const change = details.user === undefined ? 'administrator_group_changed' : 'administrator_added'
  return [
    auditStep(context, 'admin_access.given', details),
    buildAdministratorNoticeStep(context, change, name),
  ]
}

/** Builds the email to all administrators about a user who joins groups and becomes an administrator by them. */
export const buildJoinNotice = (
  context: RequestContext,
  username: string,
  joined: readonly Pick<GroupRecord, 'permissions'>[],
): readonly Step[] =>
  joined.some(({ permissions }) => hasAdminAccess(permissions))
    ? [buildAdministratorNoticeStep(context, 'administrator_added', username)]
    : []
