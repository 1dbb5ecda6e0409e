import type { AuditRecord } from '../store/audit.ts'
import type { Step } from '../store/transaction.ts'
import { isAdmin } from './permissions.ts'
import { recorded, type Visitor } from './visitor.ts'

/**
 * A record of its own when a change of permissions gives or takes `system:admin-access`: the one to be
 * alarmed by.
 */
export const adminAccessRecords = (
  visitor: Visitor,
  before: readonly string[],
  after: readonly string[] | undefined,
  facts: Partial<Pick<AuditRecord, 'user' | 'target'>>,
): readonly Step[] => {
  if (after === undefined || isAdmin(before) === isAdmin(after)) return []
  return [recorded(visitor, isAdmin(after) ? 'admin_access.given' : 'admin_access.taken', facts)]
}
