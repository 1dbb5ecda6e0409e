import type { PasswordPolicy } from '../../../lib/client/generated/models.ts'

export interface RuleValues {
  readonly group_name: string
  readonly group_regex: string
  readonly min_count: string
}

/** The password policy as its form has it. Empty texts require nothing. */
export interface PasswordValues {
  readonly min_length: string
  readonly min_entropy_bits: string
  readonly regex: string
  readonly no_pwned: boolean
  readonly rules: readonly RuleValues[]
}

export const toPasswordValues = (policy: PasswordPolicy): PasswordValues => ({
  min_length: String(policy.min_length ?? ''),
  min_entropy_bits: String(policy.min_entropy_bits ?? ''),
  regex: policy.regex ?? '',
  no_pwned: policy.no_pwned ?? false,
  rules: (policy.rules ?? []).map((rule) => ({ ...rule, min_count: String(rule.min_count) })),
})

/** The request body, which replaces the whole policy. */
export const toPasswordPolicy = (values: PasswordValues): PasswordPolicy => ({
  min_length: toNumber(values.min_length),
  min_entropy_bits: toNumber(values.min_entropy_bits),
  regex: values.regex || null,
  no_pwned: values.no_pwned,
  rules: values.rules.map((rule) => ({ ...rule, min_count: Number(rule.min_count) })),
})

export const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))
