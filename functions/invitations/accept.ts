import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { acceptWithSession } from '../../lib/accounts/invitations/accept.ts'
import { requireInvitation } from '../../lib/accounts/invitations/find-invitation.ts'
import { canChoosePassword } from '../../lib/accounts/invitations/invitation-state.ts'
import { requireGoodPassword } from '../../lib/accounts/passwords/password-policy.ts'
import { findSecondFactorDeadline, limitSession } from '../../lib/accounts/sign-in/second-factor-policy.ts'
import type { invitations } from '../../lib/contract/operations/invitations.ts'
import { AppError } from '../../lib/errors/errors.ts'
import { buildSignInReply } from '../../lib/http/sign-in-reply.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword } from '../../lib/secrets/passwords.ts'
import { findSignInPolicy } from '../../lib/store/directory/sign-in-policy.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'

/**
 * Sets the first password of an invited user and signs them in. A refusal leaves the invitation valid: a rejected password,
 * or a policy that requires a second factor at once.
 */
export const acceptInvitation: UseCase<typeof invitations.acceptInvitation> = async (
  { body, context, isFromOwnOrigin },
  services,
) => {
  const { user: invited } = await requireInvitation(services, context, body.token)
  requirePasswordAllowed(invited)
  await requireGoodPassword(services, body.password, invited, 'password')
  const passwordHash = await hashPassword(body.password, services.config.passwordCost)
  const signedIn = await retryConflicts(async () => {
    const found = await requireInvitation(services, context, body.token)
    requirePasswordAllowed(found.user)
    const policy = await findSignInPolicy(services.table)
    const deadline = await findSecondFactorDeadline(services, policy, found.user)
    return acceptWithSession(services, context, found, {
      method: 'pwd',
      changes: { passwordHash, passwordChangedAt: services.now(), passwordChangeRequired: false },
      limits: limitSession(services, deadline, body.second_factor_setup ?? false),
    })
  }, 'The account kept changing while its invitation was accepted. Try again.')
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

const requirePasswordAllowed = (user: UserRecord): void => {
  if (!canChoosePassword(user))
    throw new AppError('permission_denied', {
      detail: 'This account signs in through an identity provider and cannot have a password.',
    })
}
