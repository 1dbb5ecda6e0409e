import { randomBytes } from 'node:crypto'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import { isLimitedToPasskeySetup } from '../../accounts/sessions/session-rules.ts'
import { hasPasskeys } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { AppError, ConflictError } from '../../kernel/errors/errors.ts'
import { passkeysPerUser, passkeyUpgradeMs } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import { findSignInPolicy } from '../sign-in/policy.records.ts'
import { type ChallengeBinding, mintChallenge } from './challenges.ts'
import type { passkeys } from './operations.ts'
import { buildCreationOptions } from './options.ts'
import { requireRightToPasskeys } from './passkey-rights.ts'
import { findPasskeys } from './records.ts'

/** Starts the registration of a passkey. The first one gives the user a random handle, which all later ones share. */
export const startPasskeyRegistration: UseCase<typeof passkeys.startPasskeyRegistration> = async (
  { body: { is_conditional: isConditional = false }, principal, context },
  services,
) => {
  const { user } = principal
  requireRightToPasskeys(user)
  requireRoomForPasskey(user)
  requireSetupStillDue(principal)
  if (isConditional) await requireUpgradeAllowed(services, principal)
  const userHandle = user.passkeys?.userHandle ?? randomBytes(32).toString('base64url')
  const binding = isConditional ? buildUpgradeBinding(principal) : buildRegistrationBinding(principal)
  const challenge = await mintChallenge(services, context, { ...binding, userHandle })
  const existing = await findPasskeys(services.table, user.id)
  // Nobody is asked, so nobody is verified before the first use.
  const settings = isConditional
    ? { ...services.config.passkeys, userVerification: 'preferred' as const }
    : services.config.passkeys
  const body = buildCreationOptions(settings, { user, userHandle, challenge, existing })
  return { status: 200, body }
}

/** A passkey is added in the session that asked for it. */
export const buildRegistrationBinding = ({ user, hash }: SessionPrincipal): ChallengeBinding => ({
  purpose: 'register',
  userId: user.id,
  holder: hash,
})

/** A passkey that the browser creates without a question. */
export const buildUpgradeBinding = (principal: SessionPrincipal): ChallengeBinding => ({
  ...buildRegistrationBinding(principal),
  purpose: 'upgrade',
})

/**
 * Whether a password has just opened the session, and nothing limits it. The password manager that filled it in may then add a
 * passkey without a question.
 */
export const isFreshPasswordSession = ({ now }: Services, { session, actor }: SessionPrincipal): boolean => {
  const { limitedTo, accessLink, createdAt, authentication } = session
  return (
    actor === undefined &&
    limitedTo === undefined &&
    accessLink === undefined &&
    authentication.methods.includes('pwd') &&
    // A later proof of identity is no sign-in.
    authentication.at === createdAt &&
    Math.abs(now() - createdAt) <= passkeyUpgradeMs
  )
}

/** @throws AppError `permission_denied` */
const requireUpgradeAllowed = async (services: Services, principal: SessionPrincipal): Promise<void> => {
  const isFresh = isFreshPasswordSession(services, principal)
  const stored = isFresh ? await findSignInPolicy(services.table) : undefined
  if (isFresh && stored?.policy.passkey_upgrades !== false) return
  throw new AppError('permission_denied', {
    detail:
      'A passkey is added without a question only right after a sign-in with a password, and if the sign-in policy allows it.',
  })
}

/**
 * A session that only a password or a code opened adds the first passkey, and no further one: its owner may have added the first
 * one elsewhere. A recovery code replaces a passkey that was lost.
 *
 * @throws AppError `permission_denied`
 */
export const requireSetupStillDue = ({ user, session }: SessionPrincipal): void => {
  if (!isLimitedToPasskeySetup(session) || !hasPasskeys(user)) return
  if (!session.authentication.methods.includes('recovery_code'))
    throw new AppError('permission_denied', { detail: 'The account has a passkey now. Sign in with it.' })
}

/** @throws ConflictError `too_many_passkeys` */
export const requireRoomForPasskey = ({ passkeys }: UserRecord): void => {
  if ((passkeys?.count ?? 0) >= passkeysPerUser)
    throw new ConflictError('too_many_passkeys', `the user has ${passkeysPerUser} passkeys`)
}
