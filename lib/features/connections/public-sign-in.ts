import { AppError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { getEffectivePermissions, isPrivileged } from '../access/permissions.ts'
import type { RequestContext } from '../access/request-context.ts'
import { hasPasskeys, requiresPasskey } from '../directory/account-state.ts'
import type { UserRecord } from '../directory/user.records.ts'
import {
  acceptsOnlyPasskey,
  createPasskeyRequiredError,
  findSetupDeadline,
  isSetupOverdue,
  limitSession,
  type SessionLimits,
  type SetupDeadline,
} from '../second-factor/policy.ts'
import { type Proof, proveSecondFactor } from '../second-factor/rules.ts'
import { findSignInPolicy, type StoredSignInPolicy } from '../sign-in/policy.records.ts'

/** What a sign-in by a public provider proved besides it, and how the sign-in policy limits its session. */
export interface PublicProof extends Proof {
  readonly policy: StoredSignInPolicy | undefined
  readonly limits: SessionLimits
}

/**
 * Checks the second factor of a user whom a public provider signs in. The provider is one factor, like a password. Someone who decides
 * about the accounts of others needs a second one.
 *
 * @throws AppError `login_incomplete`: `otp_required` or `otp_invalid` for a code, `passkey_required` for those who sign in with their
 *   passkey instead
 */
export const provePublicSignIn = async (
  services: Services,
  context: RequestContext,
  user: UserRecord,
  otp: string | undefined,
): Promise<PublicProof> => {
  const policy = await findSignInPolicy(services.table)
  // No code replaces the passkey, so none is asked for or used.
  if (acceptsOnlyPasskey(policy, user)) throw createPasskeyRequiredError()
  const proof = await proveSecondFactor(services, user, otp, context)
  const { methods } = proof
  const deadline = await findSetupDeadline(services, policy, user)
  if (methods.length === 0 && (await needsPasskey(services, user, deadline)))
    throw new AppError('login_incomplete', {
      reason: 'passkey_required',
      detail: 'The account needs a second factor. Sign in with a passkey, or with a password and a code.',
    })
  return { ...proof, policy, limits: limitSession(services, { user, deadline, methods }, true) }
}

/** Whether someone without a code needs a passkey: they chose it, the policy requires it by now, or they decide about others. */
const needsPasskey = async (
  services: Services,
  user: UserRecord,
  deadline: SetupDeadline | undefined,
): Promise<boolean> =>
  requiresPasskey(user) ||
  (hasPasskeys(user) && isSetupOverdue(services, deadline)) ||
  (await getEffectivePermissions(services.table, user)).some(isPrivileged)
