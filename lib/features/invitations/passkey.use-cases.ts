import { randomBytes, randomInt } from 'node:crypto'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSignInReply } from '../../http/sign-in-reply.ts'
import type { UseCase } from '../../http/use-case.ts'
import { invalidRequest } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { buildUseChallengeStep } from '../passkeys/challenges.records.ts'
import { type ChallengeBinding, findChallenge, mintChallenge } from '../passkeys/challenges.ts'
import { buildCreationOptions } from '../passkeys/options.ts'
import { requireRightToPasskeys } from '../passkeys/passkey-rights.ts'
import { buildNewPasskeySteps, type PasskeyRecord } from '../passkeys/records.ts'
import { verifyRegistration } from '../passkeys/verify-registration.ts'
import { findSignInPolicy, type StoredSignInPolicy } from '../sign-in/policy.records.ts'
import { acceptWithSession, retryAcceptance } from './accept.ts'
import { requireNoProviderForInvited } from './accept-by-connection.ts'
import { type FoundInvitation, requireInvitation } from './find-invitation.ts'
import type { AcceptInvitationWithPasskeyRequest } from './models.ts'
import type { invitations } from './operations.ts'

/** Starts the registration of the first passkey. It must verify its user, because it will sign in without a password. */
export const startInvitationPasskey: UseCase<typeof invitations.startInvitationPasskey> = async (
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

/** Gives an invited user their first passkey and signs them in. A refused passkey leaves the invitation valid. */
export const acceptInvitationWithPasskey: UseCase<typeof invitations.acceptInvitationWithPasskey> = async (
  { body, context, isFromOwnOrigin },
  services,
) => {
  const signedIn = await retryAcceptance(async () => {
    const found = await requireInvitation(services, context, body.token)
    requireRightToPasskeys(found.user)
    const policy = await findSignInPolicy(services.table)
    await requireNoProviderForInvited(services, found.user, policy)
    return registerAndSignIn(services, context, { found, policy }, body)
  })
  return buildSignInReply(services.config, { isFromOwnOrigin, context }, signedIn)
}

const registerAndSignIn = async (
  services: Services,
  context: RequestContext,
  { found, policy }: { readonly found: FoundInvitation; readonly policy: StoredSignInPolicy | undefined },
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
    policy,
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

/** The first passkey is created with the invitation that asked for it. */
const buildInvitationBinding = ({ user, hash }: FoundInvitation): ChallengeBinding => ({
  purpose: 'invitation',
  userId: user.id,
  holder: hash,
})
