import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Services } from '../../services.ts'
import { type Proof, proveSecondFactor } from '../second-factor/rules.ts'
import { createPasskeyRequiredError, limitSession, type SessionLimits } from '../sign-in/limit-session.ts'
import { findMissingProofs } from '../sign-in/missing-proofs.ts'
import { findSignInPolicy, type StoredSignInPolicy } from '../sign-in/policy.records.ts'
import { readProofRules } from '../sign-in/proof-rules.ts'
import { createProviderRequiredError, findCompany, findOtherProvider } from '../sign-in/required-sign-in.ts'
import type { Profile } from './profile.ts'
import { getProtocol } from './protocols.ts'
import type { Connection } from './records.ts'

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
  { provider, user, profile, otp }: PublicSignIn,
): Promise<PublicProof> => {
  const company = await findCompany(services, user, profile)
  const policy = await findSignInPolicy(services.table)
  const answer = {
    methods: [getProtocol(provider).stored.kind],
    connection: provider.id,
    isPublicProvider: true,
  } as const
  const rules = await readProofRules(services, { user, policy, requiredConnection: company ?? null }, answer)
  const [first] = findMissingProofs(rules, answer)
  if (first?.kind === 'required_connection')
    throw createProviderRequiredError(services, first.connection, 'permission_denied')
  // No code replaces the passkey, so none is asked for or used.
  if (first?.kind === 'passkey') throw createPasskeyRequiredError(user)
  const proof = await proveSecondFactor(services, user, otp, context)
  const missing = findMissingProofs(rules, { ...answer, methods: [...answer.methods, ...proof.methods] })
  return { ...proof, policy, limits: limitSession(rules, missing, { wantsSetup: true }) }
}

interface PublicSignIn {
  readonly provider: Connection
  readonly user: UserRecord
  /** What the answer says about the person. */
  readonly profile: Profile
  /** The code of the second factor, which a public provider never replaces. */
  readonly otp: string | undefined
}

/**
 * Checks that no other connection is the one that the user's company requires. A company decides about the factors of its people, so its
 * sign-in lacks nothing else, and no policy is read.
 *
 * @throws AppError `permission_denied` with `sso_required`
 */
export const proveCompanySignIn = async (
  services: Services,
  provider: Connection,
  user: UserRecord,
): Promise<undefined> => {
  const requiredConnection = await findOtherProvider(services, user, provider)
  const answer = { methods: [getProtocol(provider).stored.kind], connection: provider.id }
  const rules = await readProofRules(
    services,
    { user, policy: undefined, requiredConnection: requiredConnection ?? null },
    answer,
  )
  const [missing] = findMissingProofs(rules, answer)
  if (missing?.kind === 'required_connection')
    throw createProviderRequiredError(services, missing.connection, 'permission_denied')
}
