import type { FieldError } from '../../core/errors.ts'
import {
  expressionsLength,
  policyEntropyBits,
  policyLength,
  ruleMatches,
  ruleNameLength,
} from '../../core/limits.ts'
import type { PasswordPolicy } from '../../store/records/password-policy-record.ts'

/** What of a policy is beyond all bounds, before anything of it is compiled; `place` is what the fields stand in. */
export const validateBounds = (policy: PasswordPolicy, place: string): readonly FieldError[] => {
  const { rules, minLength, minEntropyBits } = policy
  const inRange = (field: string, value: number | null, most: number): FieldError[] =>
    value === null || (value >= 0 && value <= most)
      ? []
      : [{ field: place + field, message: `must be from 0 to ${most}` }]
  const asked = rules.reduce((sum, { minCount }) => sum + minCount, 0)
  const ofRules = (message: string): FieldError => ({ field: `${place}rules`, message })
  return [
    ...inRange('min_length', minLength, policyLength),
    ...inRange('min_entropy_bits', minEntropyBits, policyEntropyBits),
    ...rules.flatMap(({ groupName, minCount }, at) => [
      ...inRange(`rules.${at}.min_count`, minCount, ruleMatches),
      ...nameFaults(groupName, `${place}rules.${at}.group_name`),
    ]),
    ...(asked > policyLength ? [ofRules(`must not ask for more than ${policyLength} matches together`)] : []),
    ...(hasLongExpressions(policy)
      ? [ofRules(`must have at most ${expressionsLength} characters of expressions together`)]
      : []),
  ]
}

/** Whether only compiling its expressions would take long. */
export const hasLongExpressions = ({ rules, regex }: PasswordPolicy): boolean =>
  rules.reduce((sum, { groupRegex }) => sum + groupRegex.length, regex?.length ?? 0) > expressionsLength

/** The name is shown to whoever chooses a password. */
const nameFaults = (name: string, field: string): FieldError[] => [
  ...(name.length > ruleNameLength
    ? [{ field, message: `must be at most ${ruleNameLength} characters long` }]
    : []),
  ...(/\p{Cc}/u.test(name) ? [{ field, message: 'must not hold control characters' }] : []),
]
