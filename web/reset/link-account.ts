import type { PasswordPolicy } from '../kit/new-password/password-policy.ts'

/** The account of a link, and what its password must meet. */
export interface LinkAccount {
  readonly username?: string
  readonly policy?: PasswordPolicy
}
