import { AppError, invalidRequest } from '../../core/errors.ts'
import { policyInstructions } from '../../core/limits.ts'
import type { Services } from '../../services.ts'
import { findPasswordPolicy } from '../../store/directory/password-policy.ts'
import type { PasswordPolicy, PasswordRule } from '../../store/records/password-policy-record.ts'
import { compileExpression, type Expression } from './expressions.ts'
import { hasLongExpressions, validateBounds } from './policy-bounds.ts'

/** What a password must be like as long as nobody set a policy: long, which is what makes guessing hard, and new. */
export const defaultPolicy: PasswordPolicy = {
  rules: [],
  minLength: 12,
  minEntropyBits: null,
  regex: null,
  noPwned: true,
}

/** A policy whose numbers are sound and whose expressions are compiled. */
export interface CheckedPolicy extends PasswordPolicy {
  readonly rules: readonly CheckedRule[]
  readonly expression: Expression | null
}

export interface CheckedRule extends PasswordRule {
  readonly expression: Expression
}

/** The policy of this service: the one that was set, else the default. */
export const loadSystemPolicy = async ({ table }: Pick<Services, 'table'>): Promise<CheckedPolicy> => {
  const stored = await findPasswordPolicy(table)
  try {
    return await checkPolicy(stored?.policy ?? defaultPolicy)
  } catch (error) {
    // Nothing of it came with this request; somebody has to set it anew.
    if (error instanceof AppError)
      throw new Error('The stored password policy is not sound.', { cause: error })
    throw error
  }
}

/**
 * Compiles the expressions of a policy, within bounds.
 *
 * @throws AppError `invalid_request` with every fault; `place` is what the fields stand in, `custom_policy.`.
 */
export const checkPolicy = async (policy: PasswordPolicy, place = ''): Promise<CheckedPolicy> => {
  const faults = [...validateBounds(policy, place)]
  const budget = { instructions: hasLongExpressions(policy) ? -1 : policyInstructions }
  const compiled = async (source: string, field: string): Promise<Expression | undefined> => {
    // Once it is too much, nothing more is compiled: that too takes time.
    if (budget.instructions < 0) return undefined
    const { expression, fault } = await compileExpression(source)
    budget.instructions -= expression?.size ?? 0
    const tooMuch = 'makes the policy too costly to check: use fewer or smaller repeats'
    const message = fault ?? (budget.instructions < 0 ? tooMuch : undefined)
    if (message !== undefined) faults.push({ field, message })
    return expression
  }
  const rules: CheckedRule[] = []
  for (const [at, rule] of policy.rules.entries()) {
    const expression = await compiled(rule.groupRegex, `${place}rules.${at}.group_regex`)
    if (expression) rules.push({ ...rule, expression })
  }
  const whole = policy.regex === null ? undefined : await compiled(policy.regex, `${place}regex`)
  if (faults.length > 0) throw invalidRequest(faults)
  return { ...policy, rules, expression: whole ?? null }
}
