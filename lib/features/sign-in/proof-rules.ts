import { getEffectivePermissions, isPrivileged } from '../../accounts/callers/permissions.ts'
import { withRestingRights } from '../../accounts/users/resting-rights.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Services } from '../../services.ts'
import type { Connection } from '../connections/records.ts'
import { findSetupDeadline } from '../second-factor/policy.ts'
import { type GivenProof, isCompleteByItself, type ProofRules } from './missing-proofs.ts'
import type { StoredSignInPolicy } from './policy.records.ts'
import { findProviderOfSignIn } from './required-sign-in.ts'

interface ProvenUser {
  readonly user: UserRecord
  /** The sign-in policy as the caller read it. */
  readonly policy: StoredSignInPolicy | undefined
  readonly isPasswordBreached?: boolean
  /** The connection that the user must sign in with, if the caller has looked for it. Null if there is none. */
  readonly requiredConnection?: Connection | null
}

/**
 * Reads what decides about a proof. Takes no table call unless the policy names permissions or requires connections. Rights that rest in
 * the session of the request count: what the session lacks for them is the question here.
 */
export const readProofRules = async (
  services: Services,
  { user: given, policy, isPasswordBreached = false, requiredConnection }: ProvenUser,
  proof: GivenProof,
): Promise<ProofRules> => {
  const user = withRestingRights(given)
  const readsRights = (proof.isPublicProvider && !user.totp) || proof.isFactorRemembered || proof.isFromSetUp
  return {
    user,
    policy,
    deadline: isCompleteByItself(proof) ? undefined : await findSetupDeadline(services, policy, user),
    requiredConnection:
      requiredConnection === undefined
        ? await findProviderOfSignIn(services, policy, user)
        : (requiredConnection ?? undefined),
    isPasswordBreached,
    isPrivileged: readsRights
      ? (await getEffectivePermissions(services.table, user)).some(isPrivileged)
      : false,
    nowMs: services.now(),
  }
}
