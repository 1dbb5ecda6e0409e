import type { PasswordPolicy as PolicyBody } from '../../contract/models/passwords.ts'
import type { PasswordPolicy } from '../../store/directory/password-policy.ts'

/** Reads a policy from a body. A body always replaces the whole policy: an omitted requirement does not exist. */
export const readPolicy = (body: PolicyBody): PasswordPolicy => ({
  rules: (body.rules ?? []).map(({ group_name, group_regex, min_count }) => ({
    groupName: group_name,
    groupRegex: group_regex,
    minCount: min_count,
  })),
  minLength: body.min_length ?? null,
  minEntropyBits: body.min_entropy_bits ?? null,
  regex: body.regex ?? null,
  noPwned: body.no_pwned ?? null,
})

export const toPolicyBody = (policy: PasswordPolicy): PolicyBody => ({
  rules: policy.rules.map(({ groupName, groupRegex, minCount }) => ({
    group_name: groupName,
    group_regex: groupRegex,
    min_count: minCount,
  })),
  min_length: policy.minLength,
  min_entropy_bits: policy.minEntropyBits,
  regex: policy.regex,
  no_pwned: policy.noPwned,
})
