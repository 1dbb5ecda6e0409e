import { isDisplayText } from '../../contract/models/display-text.ts'
import type { FieldError } from '../../errors/errors.ts'
import {
  expressionsLength,
  policyEntropyBits,
  policyLength,
  ruleMatches,
  ruleNameLength,
} from '../../limits/password-limits.ts'
import type { PasswordPolicy } from '../../store/records/password-policy-record.ts'

/**
 * Returns the values of a policy that exceed the limits, without compiling its expressions. `prefix` is prepended to the
 * field names.
 */
export const validateBounds = (policy: PasswordPolicy, prefix: string): readonly FieldError[] => {
  const { rules, minLength, minEntropyBits } = policy
  const validateRange = (field: string, value: number | null, most: number): FieldError[] =>
    value === null || (value >= 0 && value <= most)
      ? []
      : [{ field: prefix + field, message: `must be from 0 to ${most}` }]
  const matches = rules.reduce((sum, { minCount }) => sum + minCount, 0)
  const rulesError = (message: string): FieldError => ({ field: `${prefix}rules`, message })
  return [
    ...validateRange('min_length', minLength, policyLength),
    ...validateRange('min_entropy_bits', minEntropyBits, policyEntropyBits),
    ...rules.flatMap(({ groupName, minCount }, at) => [
      ...validateRange(`rules.${at}.min_count`, minCount, ruleMatches),
      ...validateRuleName(groupName, `${prefix}rules.${at}.group_name`),
    ]),
    ...(matches > policyLength
      ? [rulesError(`must not require more than ${policyLength} matches in total`)]
      : []),
    ...(hasLongExpressions(policy)
      ? [rulesError(`must have at most ${expressionsLength} characters of expressions in total`)]
      : []),
  ]
}

/** Whether the expressions are so long that even compiling them would take a long time. */
export const hasLongExpressions = ({ rules, regex }: PasswordPolicy): boolean =>
  rules.reduce((sum, { groupRegex }) => sum + groupRegex.length, regex?.length ?? 0) > expressionsLength

/** The name of a rule is shown to users who choose a password. */
const validateRuleName = (name: string, field: string): FieldError[] => [
  ...(name.length > ruleNameLength
    ? [{ field, message: `must be at most ${ruleNameLength} characters long` }]
    : []),
  ...(isDisplayText(name) ? [] : [{ field, message: 'must be one line of visible characters' }]),
]
