import { deletionGraceDays } from '../../kernel/limits/limits.ts'
import type { SignInPolicy } from './policy.records.ts'

/** The policy of a service without a stored one. Creating the first administrator stores `firstSignInPolicy`. */
export const defaultSignInPolicy: SignInPolicy = {
  secondFactor: { forEverybody: false, forPermissions: [], forGroups: [], graceDays: 0 },
  passwordOnlyMinLength: null,
  allowEmailCodes: false,
  accountDeletion: { mode: 'off', graceDays: deletionGraceDays },
}

/** The policy that a new service starts with (NIST SP 800-63B-4 section 3.1.1.2). */
export const firstSignInPolicy: SignInPolicy = { ...defaultSignInPolicy, passwordOnlyMinLength: 15 }
