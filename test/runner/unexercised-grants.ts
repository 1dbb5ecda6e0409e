export interface UnexercisedGrants {
  /** Why functions need these grants although no test of the deployed template does. */
  readonly reason: string
  /** Each grant as `describeGrant` prints it. */
  readonly grants: readonly string[]
}

/** Grants for what happens only in a race or after an interruption. Tests of the sources cause it, and check the grants. */
export const unexercisedGrants: readonly UnexercisedGrants[] = []
