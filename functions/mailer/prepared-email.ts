import type { Refund } from '../../lib/accounts/common/throttle.ts'
import type { AuditEventName } from '../../lib/core/audit-events.ts'
import type { Email } from '../../lib/mail/email.ts'

/** The email of a mail job, ready to be sent. */
export interface PreparedEmail {
  readonly email: Email
  /** The audit event that records the result, if there is one. */
  readonly audit?: { readonly event: AuditEventName; readonly user: number }
  /** Returns what the email consumed of a rate limit, if it was not sent. */
  readonly refund?: Refund
}
