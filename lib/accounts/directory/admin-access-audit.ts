import type { Step } from '../../store/engine/transaction.ts'
import type { AuditEventRecord } from '../../store/records/audit.ts'
import { isAdmin } from '../common/permissions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'

/**
 * A record of its own when a change of permissions gives or takes `system:admin-access`: the one to be
 * alarmed by.
 */
export const buildAdminAccessAuditSteps = (
  context: RequestContext,
  before: readonly string[],
  after: readonly string[] | undefined,
  facts: Partial<Pick<AuditEventRecord, 'user' | 'target'>>,
): readonly Step[] => {
  if (after === undefined || isAdmin(before) === isAdmin(after)) return []
  return [auditStep(context, isAdmin(after) ? 'admin_access.given' : 'admin_access.taken', facts)]
}
