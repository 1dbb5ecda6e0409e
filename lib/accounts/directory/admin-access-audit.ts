import type { Step } from '../../store/engine/transaction.ts'
import type { AuditEventRecord } from '../../store/records/audit.ts'
import { hasAdminAccess } from '../common/permissions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'

/**
 * Builds a separate audit event when a change of permissions grants or revokes `system:admin-access`, so that an alarm
 * can watch for it.
 */
export const buildAdminAccessAuditSteps = (
  context: RequestContext,
  before: readonly string[],
  after: readonly string[] | undefined,
  details: Partial<Pick<AuditEventRecord, 'user' | 'target'>>,
): readonly Step[] => {
  if (after === undefined || hasAdminAccess(before) === hasAdminAccess(after)) return []
  return [auditStep(context, hasAdminAccess(after) ? 'admin_access.given' : 'admin_access.taken', details)]
}
