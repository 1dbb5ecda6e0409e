import { isDisplayText } from '../../kernel/contract/text-rules.ts'
import { AppError, type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import {
  expressionsLength,
  policyEntropyBits,
  policyInstructions,
  policyLength,
  ruleMatches,
  ruleNameLength,
} from '../../kernel/limits/password-limits.ts'
import type { Services } from '../../services.ts'
import { isPasswordEnough } from '../directory/account-state.ts'
import type { UserRecord } from '../directory/user.records.ts'
import { findPolicies } from '../sign-in/policy.records.ts'
import { compileExpression, type Expression } from './expressions.ts'
import type { PasswordPolicy as PolicyBody } from './models.ts'
import type { PasswordPolicy, PasswordRule } from './policy.records.ts'

/** The policy until an administrator sets one. It requires length, which makes guessing hard, and no known breach. */
export const defaultPolicy: PasswordPolicy = {
  rules: [],
  minLength: 12,
  minEntropyBits: null,
  regex: null,
  noPwned: true,
}

/** A valid policy with compiled expressions. */
export interface CheckedPolicy extends PasswordPolicy {
  readonly rules: readonly CheckedRule[]
  readonly expression: Expression | null
}

export interface CheckedRule extends PasswordRule {
  readonly expression: Expression
}

/**
 * Loads the policy for a new password of a user: the stored one of the service, or the default. The sign-in policy can
 * require more characters of a user who has no second factor.
 */
export const loadPolicyFor = async (
  { table }: Pick<Services, 'table'>,
  user: UserRecord,
): Promise<CheckedPolicy> => {
  const { password: stored, signIn } = await findPolicies(table)
  const { minLength, ...policy } = stored?.policy ?? defaultPolicy
  const passwordOnlyMinLength = isPasswordEnough(user) ? signIn?.policy.passwordOnlyMinLength : null
  const least = Math.max(minLength ?? 0, passwordOnlyMinLength ?? 0)
  try {
    return await checkPolicy({ ...policy, minLength: least || null })
  } catch (error) {
    // This is not an error of the request. An administrator must set the policy again.
    if (error instanceof AppError)
      throw new Error('The stored password policy is not valid.', { cause: error })
    throw error
  }
}

/**
 * Validates a policy and compiles its expressions. `prefix` is prepended to the field names in errors.
 *
 * @throws AppError `invalid_request` with all errors
 */
export const checkPolicy = async (policy: PasswordPolicy, prefix = ''): Promise<CheckedPolicy> => {
  const errors = [...validateBounds(policy, prefix)]
  const budget = { instructions: hasLongExpressions(policy) ? -1 : policyInstructions }
  const compile = async (source: string, field: string): Promise<Expression | undefined> => {
    // Compiling takes time as well, so it stops when the budget is used up.
    if (budget.instructions < 0) return undefined
    const compiled = await compileExpression(source)
    budget.instructions -= compiled.expression?.size ?? 0
    const message = compiled.message ?? (budget.instructions < 0 ? tooCostly : undefined)
    if (message !== undefined) errors.push({ field, message })
    return compiled.expression
  }
  const rules: CheckedRule[] = []
  for (const [at, rule] of policy.rules.entries()) {
    const expression = await compile(rule.groupRegex, `${prefix}rules.${at}.group_regex`)
    if (expression) rules.push({ ...rule, expression })
  }
  const whole = policy.regex === null ? undefined : await compile(policy.regex, `${prefix}regex`)
  if (errors.length > 0) throw invalidRequest(errors)
  return { ...policy, rules, expression: whole ?? null }
}

const tooCostly = 'makes the policy too costly to check. Use fewer or smaller repetitions.'

/**
 * Returns the values of a policy that exceed the limits, without compiling its expressions. `prefix` is prepended to the
 * field names.
 */
const validateBounds = (policy: PasswordPolicy, prefix: string): readonly FieldError[] => {
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
const hasLongExpressions = ({ rules, regex }: PasswordPolicy): boolean =>
  rules.reduce((sum, { groupRegex }) => sum + groupRegex.length, regex?.length ?? 0) > expressionsLength

/** The name of a rule is shown to users who choose a password. */
const validateRuleName = (name: string, field: string): FieldError[] => [
  ...(name.length > ruleNameLength
    ? [{ field, message: `must be at most ${ruleNameLength} characters long` }]
    : []),
  ...(isDisplayText(name) ? [] : [{ field, message: 'must be one line of visible characters' }]),
]

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
