import { randomBytes, randomInt } from 'node:crypto'
import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { getDisplayName } from '../../lib/accounts/directory/user-body.ts'
import { acceptWithSession } from '../../lib/accounts/invitations/accept.ts'
import { type FoundInvitation, requireInvitation } from '../../lib/accounts/invitations/find-invitation.ts'
import { canChoosePassword } from '../../lib/accounts/invitations/invitation-state.ts'
import { findUsableProviders } from '../../lib/accounts/invitations/usable-providers.ts'
import {
  type ChallengeBinding,
  findChallenge,
  mintChallenge,
} from '../../lib/accounts/passkeys/challenges.ts'
import { buildCreationOptions } from '../../lib/accounts/passkeys/options.ts'
import { canHavePasskeys, requireRightToPasskeys } from '../../lib/accounts/passkeys/passkey-rights.ts'
import { verifyRegistration } from '../../lib/accounts/passkeys/verify-registration.ts'
import { describePolicyFor, requireGoodPassword } from '../../lib/accounts/passwords/password-policy.ts'
import { requireNoProvider } from '../../lib/accounts/sign-in/required-sign-in.ts'
import { findSecondFactorDeadline, limitSession } from '../../lib/accounts/sign-in/second-factor-policy.ts'
import type { AcceptInvitationWithPasskeyRequest } from '../../lib/contract/models/invitations.ts'
import { invitations } from '../../lib/contract/operations/invitations.ts'
import { AppError, invalidRequest } from '../../lib/errors/errors.ts'
import { buildSignInReply } from '../../lib/http/sign-in-reply.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { findSignInPolicy, type StoredSignInPolicy } from '../../lib/store/directory/sign-in-policy.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { findUser } from '../../lib/store/directory/users.ts'
import { buildUseChallengeStep } from '../../lib/store/sign-in/passkey-challenges.ts'
import { buildNewPasskeySteps, type PasskeyRecord } from '../../lib/store/sign-in/passkeys.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as signUp from './sign-up.ts'
import * as signUpPolicy from './sign-up-policy.ts'
import * as signUpRequests from './sign-up-requests.ts'

/** Gives an invited user their first passkey and signs them in. A refused passkey leaves the invitation valid. */
const acceptInvitationWithPasskey: UseCase<typeof invitations.acceptInvitationWithPasskey> = async (
  { body, context, isFromOwnOrigin },
  services,
) => {
  const signedIn = await retryConflicts(async () => {
    const found = await requireInvitation(services, context, body.token)
    requireRightToPasskeys(found.user)
    await requireNoProviderForInvited(services, found, await findSignInPolicy(services.table))
    return registerAndSignIn(services, context, found, body)
  }, 'The account kept changing while its invitation was accepted. Try again.')
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

const registerAndSignIn = async (
  services: Services,
  context: RequestContext,
  found: FoundInvitation,
  { name, credential }: AcceptInvitationWithPasskeyRequest,
) => {
  const { user } = found
  const { clientDataJSON } = credential.response
  const challenge = await findChallenge(services, clientDataJSON, buildInvitationBinding(found))
  if (!challenge) throw invalidCredential()
  const verified = await verifyRegistration(services, credential, challenge.value)
  // A passkey that does not verify its user could not sign in without a password.
  if (!verified?.isUserVerified) throw invalidCredential()
  const passkey: PasskeyRecord = {
    ...verified,
    id: randomInt(1, 2 ** 31),
    userId: user.id,
    name: name ?? 'Passkey',
    createdAt: services.now(),
    lastUsedAt: null,
  }
  const { userHandle = '' } = challenge.record
  return acceptWithSession(services, context, found, {
    method: 'passkey',
    changes: { passkeys: { userHandle, count: 1, isSecondFactor: false } },
    extraSteps: [
      buildUseChallengeStep(challenge.record, invalidCredential),
      ...buildNewPasskeySteps(passkey),
      auditStep(context, 'passkey.added', { user: user.id, actor: user.id, target: String(passkey.id) }),
    ],
  })
}

const invalidCredential = () =>
  invalidRequest([
    {
      field: 'credential',
      message:
        'must be a new passkey that verifies its user, for unused options that were requested with this invitation within five minutes',
    },
  ])

/**
 * Sets the first password of an invited user and signs them in. A refusal leaves the invitation valid: a rejected password,
 * or a policy that requires a second factor at once.
 */
const acceptInvitation: UseCase<typeof invitations.acceptInvitation> = async (
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
    await requireNoProviderForInvited(services, found, policy)
    const deadline = await findSecondFactorDeadline(services, policy, found.user)
    return acceptWithSession(services, context, found, {
      method: 'pwd',
      changes: { passwordHash, passwordChangedAt: services.now(), passwordChangeRequired: false },
      limits: limitSession(services, deadline, body.second_factor_setup ?? false),
    })
  }, 'The account kept changing while its invitation was accepted. Try again.')
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

/** The link proves the address, which waits for a confirmation until the invitation is accepted. */
const requireNoProviderForInvited = (
  services: Services,
  { user }: FoundInvitation,
  policy: StoredSignInPolicy | undefined,
): Promise<void> =>
  requireNoProvider(services, policy, { id: user.id, email: user.email }, 'permission_denied')

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
const findInvitation: UseCase<typeof invitations.findInvitation> = async ({ body, context }, services) => {
  const { user, invitation } = await requireInvitation(services, context, body.token)
  const allowsPassword = canChoosePassword(user)
  const isSignUp = invitation.invitedBy === user.id
  const [inviter, providers, policy] = await Promise.all([
    isSignUp ? undefined : findUser(services.table, invitation.invitedBy),
    findUsableProviders(services, user),
    allowsPassword ? describePolicyFor(services, user) : null,
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
      password_policy: policy,
      allows_passkey: canHavePasskeys(user),
      providers: providers.map(({ id, name }) => ({ id, name })),
    },
  }
}

/** Starts the registration of the first passkey. It must verify its user, because it will sign in without a password. */
const startInvitationPasskey: UseCase<typeof invitations.startInvitationPasskey> = async (
  { body, context },
  services,
) => {
  const found = await requireInvitation(services, context, body.token)
  const { user } = found
  requireRightToPasskeys(user)
  const userHandle = user.passkeys?.userHandle ?? randomBytes(32).toString('base64url')
  const challenge = await mintChallenge(services, context, { ...buildInvitationBinding(found), userHandle })
  const settings = { ...services.config.passkeys, userVerification: 'required' } as const
  return { status: 200, body: buildCreationOptions(settings, { user, userHandle, challenge, existing: [] }) }
}

export const handler = createGroupHandler(invitations, {
  findInvitation,
  acceptInvitation,
  startInvitationPasskey,
  acceptInvitationWithPasskey,
  ...signUp,
  ...signUpPolicy,
  ...signUpRequests,
})

/** The first passkey is created with the invitation that asked for it. */
const buildInvitationBinding = ({ user, hash }: FoundInvitation): ChallengeBinding => ({
  purpose: 'invitation',
  userId: user.id,
  holder: hash,
})
