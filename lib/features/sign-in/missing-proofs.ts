import type { SessionAuthentication, SetupLimit } from '../../accounts/sessions/stored-session.records.ts'
import { hasPasskeys, requiresPasskey } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Connection } from '../connections/records.ts'
import { acceptsOnlyPasskey, type SetupDeadline } from '../second-factor/policy.ts'
import type { StoredSignInPolicy } from './policy.records.ts'

/*
 * What a proof of identity is worth for a user now. Every sign-in asks this file, every confirmation in a session, and every operation
 * that takes a recent proof. So what the sign-in refuses works nowhere else.
 */

/** What decides about a proof besides the proof. */
export interface ProofRules {
  readonly user: Pick<UserRecord, 'totp' | 'passkeys' | 'password_change_required'>
  /** The sign-in policy, if one was ever stored. */
  readonly policy: StoredSignInPolicy | undefined
  /** From when the policy requires more of the user than a password: see `findSetupDeadline`. */
  readonly deadline: SetupDeadline | undefined
  /** The connection that the user must sign in with: see `findProviderOfSignIn`. */
  readonly requiredConnection: Connection | undefined
  /** Whether the password must be changed because it is in a data breach. */
  readonly isPasswordBreached: boolean
  /** Whether the user decides about the accounts of others. Read only for proofs that are too little for that. */
  readonly isPrivileged: boolean
  /** Epoch milliseconds. */
  readonly nowMs: number
}

/** What somebody proved so far, in one sign-in or confirmation. A session stores it as its authentication. */
export type GivenProof = Pick<
  SessionAuthentication,
  'methods' | 'isFactorRemembered' | 'connection' | 'isPublicProvider' | 'isFromSetUp'
>

/** What is still missing. */
export type MissingProof =
  /** A sign-in with the connection that the company of the user requires. */
  | { readonly kind: 'required_connection'; readonly connection: Connection }
  /** A code of the authenticator app or a recovery code. A passkey does as well if the user has one. */
  | { readonly kind: 'code'; readonly canBePasskey: boolean }
  /** A passkey. A recovery code replaces it, after the password and in a session that adds a new one. */
  | { readonly kind: 'passkey'; readonly canBeRecovered: boolean }
  | { readonly kind: 'new_password'; readonly isBreached: boolean }
  /** The user has to set up what the policy requires, in a session that can do nothing else. */
  | { readonly kind: 'setup'; readonly limitedTo: SetupLimit; readonly since: number }

export type MissingProofKind = MissingProof['kind']

/**
 * Lists what is missing before a proof signs the user in, or confirms who they are, in the order in which people are asked for it. Empty if
 * nothing is missing.
 *
 * The one decision about it: do not look at factors, passkeys or policies elsewhere to decide what a proof is worth.
 */
export const findMissingProofs = (rules: ProofRules, proof: GivenProof): readonly MissingProof[] => {
  const missing = [
    findMissingConnection(rules, proof),
    findMissingFactor(rules, proof),
    findMissingPassword(rules, proof),
    findMissingSetup(rules, proof),
  ].filter((one) => one !== undefined)
  // Someone who has a passkey uses it, and sets up nothing.
  return missing.some(({ kind }) => kind === 'passkey')
    ? missing.filter(({ kind }) => kind !== 'setup')
    : missing
}

const findMissingConnection = (
  { requiredConnection }: ProofRules,
  { connection }: GivenProof,
): MissingProof | undefined =>
  requiredConnection && requiredConnection.id !== connection
    ? { kind: 'required_connection', connection: requiredConnection }
    : undefined

const findMissingFactor = (rules: ProofRules, proof: GivenProof): MissingProof | undefined => {
  const { user, policy, isPrivileged } = rules
  // The holder of the set-up link could name anyone.
  if (proof.isFromSetUp && isPrivileged) return { kind: 'passkey', canBeRecovered: false }
  if (isCompleteByItself(proof)) return undefined
  if (acceptsOnlyPasskey(policy, user))
    return replacesPasskey(proof) ? undefined : { kind: 'passkey', canBeRecovered: Boolean(user.totp) }
  if (hasRememberedFactor(rules, proof)) return undefined
  if (user.totp)
    return hasCode(proof)
      ? undefined
      : { kind: 'code', canBePasskey: !proof.isPublicProvider && hasPasskeys(user) }
  const isPasskeyNeeded =
    requiresPasskey(user) ||
    (hasPasskeys(user) && isOverdue(rules)) ||
    // What a public provider proves is too little for someone who decides about the accounts of others.
    (proof.isPublicProvider === true && isPrivileged)
  return isPasskeyNeeded ? { kind: 'passkey', canBeRecovered: false } : undefined
}

const findMissingPassword = (
  { user, isPasswordBreached }: ProofRules,
  proof: GivenProof,
): MissingProof | undefined =>
  // A passkey signs in without the password, and after one it took the new password first.
  proof.methods.includes('pwd') &&
  !proof.methods.includes('passkey') &&
  (user.password_change_required || isPasswordBreached)
    ? { kind: 'new_password', isBreached: isPasswordBreached }
    : undefined

const findMissingSetup = (rules: ProofRules, proof: GivenProof): MissingProof | undefined => {
  const { deadline } = rules
  if (!deadline || !isOverdue(rules)) return undefined
  if (isCompleteByItself(proof) || hasRememberedFactor(rules, proof)) return undefined
  return { kind: 'setup', limitedTo: deadline.limitedTo, since: deadline.at }
}

/** Whether nothing can be added to a proof: a passkey is two factors, and a company decides about the factors of its people. */
export const isCompleteByItself = (proof: GivenProof): boolean =>
  proof.methods.includes('passkey') || isFromCompany(proof)

const isFromCompany = ({ connection, isPublicProvider }: GivenProof): boolean =>
  connection !== undefined && !isPublicProvider

const hasCode = ({ methods }: GivenProof): boolean =>
  methods.includes('otp') || methods.includes('recovery_code')

/** Whether a recovery code replaces the passkey that was lost. It does so after the password alone. */
const replacesPasskey = ({ methods }: GivenProof): boolean =>
  methods.includes('pwd') && methods.includes('recovery_code')

/** Whether a remembered device does instead of the second factor. It never does for those who decide about the accounts of others. */
const hasRememberedFactor = (
  { policy, isPrivileged }: ProofRules,
  { isFactorRemembered }: GivenProof,
): boolean =>
  isFactorRemembered === true &&
  !isPrivileged &&
  policy !== undefined &&
  !policy.policy.passkeys_only &&
  policy.policy.remembered_device_days > 0

const isOverdue = ({ deadline, nowMs }: ProofRules): boolean => deadline !== undefined && deadline.at <= nowMs
