import { deletionGraceDays } from '../../kernel/limits/limits.ts'
import type { SignInPolicy } from './policy.records.ts'

/** The policy of a service without a stored one. Creating the first administrator stores `firstSignInPolicy`. */
export const defaultSignInPolicy: SignInPolicy = {
  second_factor_for_everybody: false,
  second_factor_for_permissions: [],
  second_factor_for_groups: [],
  second_factor_grace_days: 0,
  password_only_min_length: null,
  allow_email_codes: false,
  account_deletion: 'off',
  account_deletion_grace_days: deletionGraceDays,
}

/** The policy that a new service starts with (NIST SP 800-63B-4 section 3.1.1.2). */
export const firstSignInPolicy: SignInPolicy = { ...defaultSignInPolicy, password_only_min_length: 15 }
