import type { SessionPrincipal } from '../../lib/accounts/common/principal.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { retryConflicts } from '../../lib/accounts/common/retry-conflicts.ts'
import { type ChallengeBinding, mintChallenge } from '../../lib/accounts/passkeys/challenges.ts'
import { buildRequestOptions } from '../../lib/accounts/passkeys/options.ts'
import { provePasskey } from '../../lib/accounts/passkeys/prove-passkey.ts'
import { recordRefusal } from '../../lib/accounts/passkeys/record-refusal.ts'
import { PasskeyRefused } from '../../lib/accounts/passkeys/refusal.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import { AppError } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findPasskeys } from '../../lib/store/sign-in/passkeys.ts'
import { buildAuthenticationStep } from '../../lib/store/sign-in/sessions.ts'

const buildBinding = ({ user, hash }: SessionPrincipal): ChallengeBinding => ({
  purpose: 'reauthenticate',
  userId: user.id,
  holder: hash,
})

/** Starts a new proof of identity in the session of the caller. */
export const startPasskeyReauthentication: UseCase<typeof passkeys.startPasskeyReauthentication> = async (
  { principal, context },
  services,
) => {
  const challenge = await mintChallenge(services, context, buildBinding(principal))
  const allowed = await findPasskeys(services.table, principal.user.id)
  const settings = services.config.passkeys
  const body = buildRequestOptions(settings, { challenge, userVerification: 'required', allowed })
  return { status: 200, body }
}

/** Proves the identity of the caller with one of their passkeys, which must verify them. */
export const reauthenticateWithPasskey: UseCase<typeof passkeys.reauthenticateWithPasskey> = async (
  { body, principal, context },
  services,
) => {
  try {
    await retryConflicts(async () => {
      const { steps } = await provePasskey(services, context, {
        credential: body.credential,
        binding: buildBinding(principal),
        requiresVerification: true,
      })
      const { user, session } = principal
      await services.table.transact([
        ...steps,
        buildAuthenticationStep(session, { at: services.now(), methods: ['passkey'] }, sessionEnded),
        auditStep(context, 'session.reauthenticated', { user: user.id, target: String(session.id) }),
      ])
    }, 'The passkey kept changing. Try again.')
    return { status: 204 }
  } catch (error) {
    throw error instanceof PasskeyRefused ? await recordRefusal(services, context, error) : error
  }
}

const sessionEnded = () => new AppError('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } })
