import { createCodec } from '../engine/codec.ts'

/** What the service requires of sign-ins. */
export interface SignInPolicy {
  readonly secondFactor: SecondFactorRequirement
  /** Least length in characters of a new password of a user without a second factor. Null requires nothing. */
  readonly passwordOnlyMinLength: number | null
  /** Whether users can sign in with a code that is emailed to them. */
  readonly allowEmailCodes: boolean
}

/** Who must have a second factor. A user who matches any of these must. */
export interface SecondFactorRequirement {
  readonly forEverybody: boolean
  /** Holders of any of these permissions, own or through a group. */
  readonly forPermissions: readonly string[]
  /** Members of any of these groups. */
  readonly forGroups: readonly number[]
  /** Days until the requirement takes effect, from its start or from the creation of the user. */
  readonly graceDays: number
}

export interface StoredSignInPolicy {
  readonly policy: SignInPolicy
  /** When the current requirement of a second factor was set, in epoch milliseconds. */
  readonly secondFactorSince: number
  /** Increases with each edit. An edit of an older version is rejected. */
  readonly version: number
}

export const signInPolicyCodec = createCodec<StoredSignInPolicy>('sign-in policy', {
  policy: 'map',
  secondFactorSince: 'number',
  version: 'number',
})
