import { randomBytes } from 'node:crypto'
import type { Caller } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { isGuestUser } from '../../accounts/users/guest-state.records.ts'
import { canSignInAlready } from '../../accounts/users/invitation-state.ts'
import type { UserInvitation, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { invitationLifetimeMs } from '../../kernel/limits/limits.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { type CallerRights, isUnlimited } from '../directory/rights/account-rights.ts'

interface Inviter {
  readonly principal: Caller
  readonly rights: CallerRights
}

/**
 * Builds an invitation of a user with this address. The mailer creates its link, so that no function here knows it. Nobody but the
 * deployment invites without an inviter.
 */
export const buildInvitation = (
  { now }: Pick<Services, 'now'>,
  inviter: Inviter | undefined,
  normalizedEmail: string,
  credentialEpoch: number,
): UserInvitation => {
  const madeAt = now()
  return {
    id: randomBytes(12).toString('base64url'),
    invitedBy: inviter?.principal.user.id ?? null,
    ...(!inviter || isUnlimited(inviter.rights) ? {} : { rights: inviter.rights }),
    normalizedEmail,
    credentialEpoch,
    madeAt,
    expiresAt: madeAt + invitationLifetimeMs,
  }
}

/** Builds the steps that queue the email of an invitation and record it. */
export const buildInvitationSteps = (
  { now }: Pick<Services, 'now'>,
  context: RequestContext,
  userId: number,
  { id: invitationId }: UserInvitation,
): readonly Step[] => [
  buildOutboxStep({ kind: 'invitation', userId, invitationId }, context, now()),
  auditStep(context, 'user.invited', { user: userId }),
]

/**
 * Returns the address that an invitation of the user goes to.
 *
 * @throws AppError `conflict` with `already_set_up` or `cannot_be_invited`
 */
export const requireInvitable = (user: UserRecord, nowMs: number): string => {
  if (canSignInAlready(user))
    throw new AppError('conflict', {
      reason: 'already_set_up',
      detail: 'The user can sign in already. Send a password reset link instead.',
    })
  const { email, normalizedEmail } = user
  const canGetMail = email !== null && parseMailAddress(email) !== undefined
  if (!canGetMail || normalizedEmail === null || !isActive(user, nowMs) || isGuestUser(user))
    throw new AppError('conflict', {
      reason: 'cannot_be_invited',
      detail: 'The user is disabled, has expired, is a guest of an access link, or has no email address.',
    })
  return normalizedEmail
}
