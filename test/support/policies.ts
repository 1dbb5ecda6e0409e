import type { PasswordPolicy } from '../../lib/features/passwords/policy.records.ts'

/** Creates a policy with only these requirements. */
export const policyWith = (given: Partial<PasswordPolicy> = {}): PasswordPolicy => ({
  rules: [],
  min_length: null,
  min_entropy_bits: null,
  regex: null,
  no_pwned: null,
  ...given,
})

export const rule = (group_name: string, group_regex: string, min_count: number) => ({
  group_name,
  group_regex,
  min_count,
})

export const fourClasses = [
  rule('capital letters', '[A-Z]', 2),
  rule('small letters', '[a-z]', 2),
  rule('digits', '[0-9]', 2),
  rule('special characters', '[^a-zA-Z0-9]', 2),
]
