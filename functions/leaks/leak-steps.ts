import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import type { Services } from '../../lib/services.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'

/**
 * The audit event and the security email about a leaked credential, for the transaction that ends it. So of any number of
 * reports, one informs the owner. `target` is the kind of the credential, and its ID if it has one.
 */
export const buildLeakSteps = (
  services: Services,
  context: RequestContext,
  owner: UserRecord,
  target: string,
): readonly Step[] => [
  auditStep(context, 'credential.leaked', { user: owner.id, target }),
  ...buildSecurityNoticeStep(services, context, owner, { kind: 'credential_leaked' }),
]
