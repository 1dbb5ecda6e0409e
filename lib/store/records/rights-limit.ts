/** What those held together who set the password or the address of an account for its user, or invited them. */
export interface RightsLimit {
  readonly permissions: readonly string[]
  /** Whether one of them was an API token, which must not lead to a privileged account. */
  readonly isApiToken?: boolean
  /** Whether the address may be theirs: they set it, or it was confirmed since. */
  readonly hasSetEmail?: boolean
  /** When the first of them did. Epoch milliseconds. */
  readonly since: number
}
