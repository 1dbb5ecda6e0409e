import type { Refund } from '../../lib/accounts/common/throttle.ts'
import type { AuditEventName } from '../../lib/core/audit-events.ts'
import type { Mail } from '../../lib/mail/mail.ts'

/** A mail that is ready to be sent. */
export interface EmailBuilder {
  readonly mail: Mail
  /** What is recorded of how it went, where something is. */
  readonly sent?: { readonly event: AuditEventName; readonly user: number }
  /** Gives the recipient's share back that it took, when it wasn't sent. */
  readonly giveBack?: Refund
}
