import { type SecurityChange, unreportableChanges } from '../../contract/security-changes.ts'
import type { Services } from '../../services.ts'
import { hasVerifiedEmail, isGuestUser } from '../../store/directory/guest-state.ts'
import type { UserRecord } from '../../store/directory/user-record.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { buildOutboxStep } from '../../store/mail/outbox.ts'
import { identifyDevice } from '../../util/user-agents.ts'
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
  const { id: userId, email } = user
  if (email === null || !parseMailAddress(email) || !hasVerifiedEmail(user) || isGuestUser(user)) return []
  const at = now()
  const by = isByOther(context, user) ? 'administrator' : 'user'
  const job = {
    kind: 'security_notice',
    ...{ userId, change: kind, email, at },
    by: unreportableChanges.includes(kind) ? 'service' : by,
    device: identifyDevice(context.userAgent),
  } as const
  return [buildOutboxStep(job, context, at)]
}

/** Before a sign-in is complete, the request has no actor. Then the user acts. */
const isByOther = ({ actor }: RequestContext, { id }: UserRecord): boolean => actor !== null && actor !== id
