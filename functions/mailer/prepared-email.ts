import type { Refund } from '../../lib/accounts/common/throttle.ts'
import type { AuditEventName } from '../../lib/contract/audit-events.ts'
import type { Email } from '../../lib/mail/email.ts'
import type { Step } from '../../lib/store/engine/transaction.ts'

/** The email of a mail job, ready to be sent. */
export interface PreparedEmail {
  readonly email: Email
  /** The audit event that records the result, if there is one. */
  readonly audit?: { readonly event: AuditEventName; readonly user: number }
  /** The steps that record that the email was sent. They fail with `EditConflict` if that is of no interest any more. */
  readonly sent?: readonly Step[]
  /** Returns what the email consumed of a rate limit, if it was not sent. */
  readonly refund?: Refund
  /**
   * Takes the link of the email back if it was certainly not sent, so that an earlier link works again. Fails with
   * `EditConflict` if a newer link replaced it.
   */
  readonly undo?: readonly Step[]
}
