import type { SecurityChange } from '../../core/security-changes.ts'
import { describeUserAgent } from '../../core/user-agents.ts'
import type { Services } from '../../services.ts'
import { hasVerifiedEmail, isGuestUser } from '../../store/directory/guest-state.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { buildOutboxStep } from '../../store/records/outbox.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { parseMailAddress } from './mail-addresses.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Builds the step that queues the security email about a change, for the transaction that makes the change. `user` is
 * the user before the change, whose address gets the email. Returns no step for a user without a verified address.
 */
export const buildSecurityNoticeStep = (
  { now }: Services,
  context: RequestContext,
  user: UserRecord,
  { kind }: SecurityChange,
): readonly Step[] => {
  const address = parseMailAddress(user.email ?? '')
  if (!address || !hasVerifiedEmail(user) || isGuestUser(user)) return []
  const job = {
    kind: 'security_notice',
    userId: user.id,
    change: kind,
    to: address.address,
    at: now(),
    // The address and the browser of an administrator are none of the user's business.
    browser: isByOther(context, user) ? null : describeUserAgent(context.userAgent),
  } as const
  return [buildOutboxStep(job, context, now())]
}

/** Before a sign-in is complete, the request has no actor. Then the user acts. */
const isByOther = ({ actor }: RequestContext, { id }: UserRecord): boolean => actor !== null && actor !== id
