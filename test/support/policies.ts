import type { PasswordPolicy } from '../../lib/features/passwords/policy.records.ts'

/** Creates a policy with only these requirements. */
export const policyWith = (given: Partial<PasswordPolicy> = {}): PasswordPolicy => ({
  rules: [],
  minLength: null,
  minEntropyBits: null,
  regex: null,
  noPwned: null,
  ...given,
})

export const rule = (groupName: string, groupRegex: string, minCount: number) => ({
  groupName,
  groupRegex,
  minCount,
})

export const fourClasses = [
  rule('capital letters', '[A-Z]', 2),
  rule('small letters', '[a-z]', 2),
  rule('digits', '[0-9]', 2),
  rule('special characters', '[^a-zA-Z0-9]', 2),
]
