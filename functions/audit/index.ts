import { audit } from '../../lib/contract/operations/audit.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { getAuditEvents } from './list.ts'
import { getRateLimitedSubjects, liftRateLimit } from './rate-limited.ts'
import { getSuppressedAddresses, liftSuppression } from './suppressed-addresses.ts'

export const handler = createGroupHandler(audit, {
  getAuditEvents,
  getRateLimitedSubjects,
  liftRateLimit,
  getSuppressedAddresses,
  liftSuppression,
})
