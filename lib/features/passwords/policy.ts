import { isPasswordEnough } from '../../accounts/users/account-state.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { project, readGiven } from '../../kernel/contract/projection.ts'
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
import { listNames } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { findPolicies } from '../sign-in/policy.records.ts'
import { compileExpression, type Expression } from './expressions.ts'
import type { PasswordPolicy as PolicyBody } from './models.ts'
import type { PasswordPolicy, PasswordRule } from './policy.records.ts'

/** The policy until an administrator sets one. It requires length, which makes guessing hard, and no known breach. */
export const defaultPolicy: PasswordPolicy = {
  rules: [],
  min_length: 12,
  min_entropy_bits: null,
  regex: null,
  no_pwned: true,
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
  const policy = stored?.policy ?? defaultPolicy
  const passwordOnlyMinLength = isPasswordEnough(user) ? signIn?.policy.password_only_min_length : null
  const least = Math.max(policy.min_length ?? 0, passwordOnlyMinLength ?? 0)
  try {
    return await checkPolicy({ ...policy, min_length: least || null })
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
    const expression = await compile(rule.group_regex, `${prefix}rules.${at}.group_regex`)
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
  const { rules, min_length, min_entropy_bits } = policy
  const validateRange = (field: string, value: number | null, most: number): FieldError[] =>
    value === null || (value >= 0 && value <= most)
      ? []
      : [{ field: prefix + field, message: `must be from 0 to ${most}` }]
  const matches = rules.reduce((sum, { min_count }) => sum + min_count, 0)
  const rulesError = (message: string): FieldError => ({ field: `${prefix}rules`, message })
  return [
    ...validateRange('min_length', min_length, policyLength),
    ...validateRange('min_entropy_bits', min_entropy_bits, policyEntropyBits),
    ...rules.flatMap(({ group_name, min_count }, at) => [
      ...validateRange(`rules.${at}.min_count`, min_count, ruleMatches),
      ...validateRuleName(group_name, `${prefix}rules.${at}.group_name`),
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
  rules.reduce((sum, { group_regex }) => sum + group_regex.length, regex?.length ?? 0) > expressionsLength

/** The name of a rule is shown to users who choose a password. */
const validateRuleName = (name: string, field: string): FieldError[] => [
  ...(name.length > ruleNameLength
    ? [{ field, message: `must be at most ${ruleNameLength} characters long` }]
    : []),
  ...(isDisplayText(name) ? [] : [{ field, message: 'must be one line of visible characters' }]),
]

const noRequirements: PasswordPolicy = {
  rules: [],
  min_length: null,
  min_entropy_bits: null,
  regex: null,
  no_pwned: null,
}
const policyNames = listNames(noRequirements)
const ruleNames = ['group_name', 'group_regex', 'min_count'] as const satisfies (keyof PasswordRule)[]

/** Reads a policy from a body. A body always replaces the whole policy: an omitted requirement does not exist. */
export const readPolicy = (body: PolicyBody): PasswordPolicy => ({
  ...noRequirements,
  ...readGiven(policyNames, body),
})

export const toPolicyBody = (policy: PasswordPolicy): PolicyBody => ({
  ...project(policyNames, policy),
  rules: policy.rules.map((rule) => project(ruleNames, rule)),
})
