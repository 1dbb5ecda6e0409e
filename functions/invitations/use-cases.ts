import { acceptWithSession } from '../../lib/accounts/invitations/accept.ts'
import {
  findInvitedWays,
  getAcceptUrl,
  requireNoProviderForInvited,
} from '../../lib/accounts/invitations/accept-by-saml.ts'
import { requireInvitation } from '../../lib/accounts/invitations/find-invitation.ts'
import { canChoosePassword } from '../../lib/accounts/invitations/invitation-state.ts'
import { describePolicyFor, requireGoodPassword } from '../../lib/accounts/passwords/password-policy.ts'
import { findSecondFactorDeadline, limitSession } from '../../lib/accounts/sign-in/second-factor-policy.ts'
import type { invitations } from '../../lib/contract/operations/invitations.ts'
import { retryConflicts } from '../../lib/features/access/retry-conflicts.ts'
import type { UserRecord } from '../../lib/features/directory/user.records.ts'
import { getDisplayName } from '../../lib/features/directory/user-body.ts'
import { findUser } from '../../lib/features/directory/users.records.ts'
import { buildSignInReply } from '../../lib/http/request-context.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { AppError } from '../../lib/kernel/errors/errors.ts'
import { hashPassword } from '../../lib/kernel/secrets/passwords.ts'
import { formatTime } from '../../lib/kernel/util/time.ts'
import { findSignInPolicy } from '../../lib/store/directory/sign-in-policy.ts'

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
    await requireNoProviderForInvited(services, found.user, policy)
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

/**
 * Shows an invitation to the holder of its link. It uses nothing, however often it is called. The token is in the body,
 * because addresses get into logs.
 */
export const findInvitation: UseCase<typeof invitations.findInvitation> = async (
  { body, context },
  services,
) => {
  const { user, invitation } = await requireInvitation(services, context, body.token)
  const isSignUp = invitation.invitedBy === user.id
  const [inviter, { allowsPassword, allowsPasskey, connection }] = await Promise.all([
    isSignUp ? undefined : findUser(services.table, invitation.invitedBy),
    findInvitedWays(services, user),
  ])
  return {
    status: 200,
    body: {
      username: user.username,
      full_name: user.fullName,
      email: user.email ?? '',
      is_sign_up: isSignUp,
      invited_by: inviter ? getDisplayName(inviter) : null,
      expires_at: formatTime(invitation.expiresAt),
      allows_password: allowsPassword,
      password_policy: allowsPassword ? await describePolicyFor(services, user) : null,
      allows_passkey: allowsPasskey,
      providers: connection
        ? [
            {
              ...{ id: connection.id, name: connection.name },
              accept_url: getAcceptUrl(services.config, connection),
            },
          ]
        : [],
    },
  }
}
