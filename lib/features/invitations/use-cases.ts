import { findUser } from '../../accounts/users/find-users.records.ts'
import { canChoosePassword } from '../../accounts/users/invitation-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../accounts/users/user-body.ts'
import { buildSignInReply } from '../../http/sign-in-reply.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { hashPassword } from '../../kernel/secrets/passwords.ts'
import { formatTime } from '../../kernel/util/time.ts'
import { describePolicyFor, requireGoodPassword } from '../passwords/password-policy.ts'
import { limitSession } from '../sign-in/limit-session.ts'
import { findMissingProofs } from '../sign-in/missing-proofs.ts'
import { findSignInPolicy, type StoredSignInPolicy } from '../sign-in/policy.records.ts'
import { readProofRules } from '../sign-in/proof-rules.ts'
import { acceptWithSession, retryAcceptance } from './accept.ts'
import {
  findInvitedWays,
  getAcceptUrl,
  requireNoProviderForInvited,
  requiresFirstPasskey,
} from './accept-by-connection.ts'
import { requireInvitation } from './find-invitation.ts'
import type { invitations } from './operations.ts'

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
  const signedIn = await retryAcceptance(async () => {
    const found = await requireInvitation(services, context, body.token)
    requirePasswordAllowed(found.user)
    const policy = await findSignInPolicy(services.table)
    await requireNoProviderForInvited(services, found.user, policy)
    requireNoPasskeyPolicy(policy, found.user)
    const password = { methods: ['pwd'] } as const
    // The new password replaces the one that had to be changed.
    const user = { ...found.user, password_change_required: false }
    const rules = await readProofRules(services, { user, policy, requiredConnection: null }, password)
    return acceptWithSession(services, context, found, {
      method: 'pwd',
      policy,
      changes: { passwordHash, passwordChangedAt: services.now(), password_change_required: false },
      limits: limitSession(rules, findMissingProofs(rules, password), {
        wantsSetup: body.second_factor_setup ?? false,
      }),
    })
  })
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

const requirePasswordAllowed = (user: UserRecord): void => {
  if (!canChoosePassword(user))
    throw new AppError('permission_denied', {
      detail: 'This account signs in through an identity provider and cannot have a password.',
    })
}

/** Where only passkeys sign in, an invitation leads to one. A password would be of no use. */
const requireNoPasskeyPolicy = (policy: StoredSignInPolicy | undefined, user: UserRecord): void => {
  if (requiresFirstPasskey(policy, user))
    throw new AppError('permission_denied', {
      detail:
        'This service accepts only passkeys. Accept the invitation with `accept_invitation_with_passkey`.',
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
  const [inviter, { allowsPassword, allowsPasskey, connections }] = await Promise.all([
    isSignUp || invitation.invitedBy === null ? undefined : findUser(services.table, invitation.invitedBy),
    findInvitedWays(services, user),
  ])
  return {
    status: 200,
    body: {
      username: user.username,
      full_name: user.full_name,
      email: user.email ?? '',
      is_sign_up: isSignUp,
      invited_by: inviter ? getDisplayName(inviter) : null,
      expires_at: formatTime(invitation.expiresAt),
      allows_password: allowsPassword,
      password_policy: allowsPassword ? await describePolicyFor(services, user) : null,
      allows_passkey: allowsPasskey,
      providers: connections.map(({ id, name }) => ({
        id,
        name,
        accept_url: getAcceptUrl(services.config, { id }),
      })),
    },
  }
}
